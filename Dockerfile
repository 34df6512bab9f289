# Fathom in a container: the first stage builds the Debian package, the second one installs it and nothing else.
#
#   docker build -t fathom .
#   docker run --rm -v "$PWD:/work" fathom verify program.c

FROM rust:1-bookworm AS build
WORKDIR /fathom
# What the build needs of the system changes seldom, and is kept between builds.
COPY scripts scripts
RUN scripts/setup --no-extras
COPY . .
RUN scripts/package --out /package

FROM debian:bookworm-slim
COPY --from=build /package/*.deb /tmp/
RUN apt-get update \
    && apt-get install -y --no-install-recommends /tmp/fathom_*.deb llvm-19 \
    && rm -rf /var/lib/apt/lists/* /tmp/fathom_*.deb \
    && useradd --create-home fathom
USER fathom
WORKDIR /work
ENTRYPOINT ["fathom"]
CMD ["--help"]
