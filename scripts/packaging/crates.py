"""Lists the Rust packages that are linked into the program, with their licences: reads `cargo metadata` on standard input."""

import json
import sys

metadata = json.load(sys.stdin)
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
root = next(package["id"] for package in metadata["packages"] if package["name"] == "fathom")


def is_linked(dependency):
    """Tests and build scripts leave nothing in the program."""
    return any(kind["kind"] is None for kind in dependency["dep_kinds"])


seen, waiting = {root}, [root]
while waiting:
    for dependency in nodes[waiting.pop()]["deps"]:
        if is_linked(dependency) and dependency["pkg"] not in seen:
            seen.add(dependency["pkg"])
            waiting.append(dependency["pkg"])

foreign = [packages[package] for package in seen if packages[package]["source"]]
print("Rust packages in this program, from crates.io, with their licences (SPDX):\n")
for package in sorted(foreign, key=lambda package: (package["name"], package["version"])):
    print(f"{package['name']} {package['version']}: {package['license'] or 'see its sources'}")
