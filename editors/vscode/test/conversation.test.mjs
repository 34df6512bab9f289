// A conversation with the real server over the libraries that VS Code's own client is made of, without VS Code. The program is
// $FATHOM, or what was built in this repository, or the one on the PATH.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const rpc = require("vscode-languageserver-protocol/node");

const here = path.dirname(fileURLToPath(import.meta.url));
const built = path.resolve(here, "../../../target/release/fathom");
const fathom = process.env.FATHOM || (existsSync(built) ? built : "fathom");

const WRONG = `int nondet_int(void);
int main(void) {
  int divisor = nondet_int() > 3 ? 0 : 2;
  return 100 / divisor;
}
`;

/** Starts a server and connects to it; what it says is kept until somebody wants it. */
function connect() {
  const server = spawn(fathom, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = rpc.createProtocolConnection(
    new rpc.StreamMessageReader(server.stdout),
    new rpc.StreamMessageWriter(server.stdin),
  );
  const [diagnostics, shown, progress, waiting] = [[], [], [], []];
  const wake = () => waiting.splice(0).forEach((resolve) => resolve());
  connection.onNotification(rpc.PublishDiagnosticsNotification.type, (params) => (diagnostics.push(params), wake()));
  connection.onRequest(rpc.ShowDocumentRequest.type, (params) => (shown.push(params.uri), wake(), { success: true }));
  connection.onRequest(rpc.WorkDoneProgressCreateRequest.type, () => null);
  connection.onNotification("$/progress", (params) => (progress.push(params.value), wake()));
  connection.listen();
  const next = async (list) => {
    while (list.length === 0) {
      await new Promise((resolve) => waiting.push(resolve));
    }
    return list.shift();
  };
  const exited = new Promise((resolve) => server.on("exit", resolve));
  return { connection, next, diagnostics, shown, progress, exited };
}

test("a program is verified, explained, mended and verified again", { timeout: 120_000 }, async (context) => {
  const directory = await mkdtemp(path.join(tmpdir(), "fathom vscode é "));
  context.after(() => rm(directory, { recursive: true }));
  const file = path.join(directory, "a b.c");
  await writeFile(file, WRONG);
  const uri = pathToFileURL(file).toString();
  const { connection, next, diagnostics, shown, progress, exited } = connect();
  const textDocument = { uri };

  const { capabilities, serverInfo } = await connection.sendRequest(rpc.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(directory).toString(), name: "test" }],
    capabilities: { window: { workDoneProgress: true, showDocument: { support: true } } },
    initializationOptions: { properties: ["div-by-zero"], native: false },
  });
  assert.equal(serverInfo.name, "fathom");
  assert.deepEqual(capabilities.executeCommandProvider.commands, ["fathom.verify", "fathom.openReplay", "fathom.showProof"]);
  await connection.sendNotification(rpc.InitializedNotification.type, {});

  await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "c", version: 1, text: WRONG },
  });
  const found = await next(diagnostics);
  assert.equal(found.uri, uri);
  assert.equal(found.diagnostics.length, 1);
  const [violation] = found.diagnostics;
  assert.equal(violation.code, "div-by-zero");
  assert.equal(violation.severity, rpc.DiagnosticSeverity.Error);
  assert.equal(violation.range.start.line, 3);
  assert.ok(violation.relatedInformation.length > 0);
  assert.match(violation.relatedInformation[0].message, /nondet_int\(\) = /);
  assert.equal(decodeURIComponent(violation.relatedInformation[0].location.uri), decodeURIComponent(uri));
  assert.equal((await next(progress)).kind, "begin");

  const actions = await connection.sendRequest(rpc.CodeActionRequest.type, {
    textDocument,
    range: violation.range,
    context: { diagnostics: [violation], only: [rpc.CodeActionKind.QuickFix] },
  });
  assert.deepEqual(
    actions.map((action) => action.command.command),
    ["fathom.openReplay", "fathom.showProof"],
  );
  for (const [action, begins] of [[actions[0], "/* Build: "], [actions[1], "div-by-zero: violated"]]) {
    const { command, arguments: args } = action.command;
    const answer = await connection.sendRequest(rpc.ExecuteCommandRequest.type, { command, arguments: args });
    const opened = await next(shown);
    assert.equal(opened, answer.uri);
    assert.ok((await readFile(fileURLToPath(opened), "utf8")).startsWith(begins), action.title);
  }

  await writeFile(file, WRONG.replace("? 0", "? 1"));
  await connection.sendNotification(rpc.DidSaveTextDocumentNotification.type, { textDocument });
  assert.deepEqual(await next(diagnostics), { uri, diagnostics: [] });
  const { verdict } = await connection.sendRequest(rpc.ExecuteCommandRequest.type, { command: "fathom.verify", arguments: [uri] });
  assert.equal(verdict, "true");

  await connection.sendRequest(rpc.ShutdownRequest.type);
  await connection.sendNotification(rpc.ExitNotification.type);
  assert.equal(await exited, 0);
});
