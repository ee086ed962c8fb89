# The server with Node and the libraries that Node needs: no shell, no package manager. docs/guides/deploy.md
#   docker build --tag dynamic-query .
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm

FROM ${NODE_IMAGE} AS build
SHELL ["/bin/sh", "-eu", "-c"]
WORKDIR /src
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
# The workspace installs before it runs a script; here only what the server needs is installed.
ENV CI=true PNPM_CONFIG_VERIFY_DEPS_BEFORE_RUN=false
RUN npm install --global "pnpm@$(node -p 'require("./package.json").devDependencies.pnpm')"
COPY . .
RUN pnpm install --frozen-lockfile --filter . --filter '@proj/server...' && \
    pnpm --filter '@proj/server...' build

# The packages that run, as the lock file has them, without what only readers and compilers use.
RUN pnpm --config.inject-workspace-packages=true --filter @proj/server deploy --prod /runtime/app && \
    cd /runtime/app && \
    find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.[cm]ts' -o -name '*.md' \) -delete && \
    find node_modules -type d \( -name test -o -name tests -o -name docs -o -name benchmarks -o -name .github \) \
      -prune -exec rm -r {} +

# Node without its symbols, the libraries that it loads with their licences, `env` for the first line
# of the program, and what scanners of packages read.
RUN mkdir -p /runtime/etc /runtime/tmp /runtime/usr/bin /runtime/usr/local/bin /runtime/var/lib/dpkg/status.d && \
    strip -o /runtime/usr/local/bin/node "$(command -v node)" && \
    cp /usr/bin/env /runtime/usr/bin/env && \
    ldd "$(command -v node)" | grep -o '/[^ ]*' | xargs -I '{}' cp --parents --dereference '{}' /runtime && \
    for package in libc6 libgcc-s1 libstdc++6 coreutils; do \
      dpkg-query --status "$package" > "/runtime/var/lib/dpkg/status.d/$package" && \
      cp --parents --dereference "/usr/share/doc/$package/copyright" /runtime; \
    done && \
    ln -s /app/dist/main.js /runtime/usr/local/bin/dynamic-query && \
    chmod 1777 /runtime/tmp && \
    printf 'dynamic-query:x:65532:65532::/nonexistent:/usr/sbin/nologin\n' > /runtime/etc/passwd && \
    printf 'dynamic-query:x:65532:\n' > /runtime/etc/group && \
    printf 'hosts: files dns\n' > /runtime/etc/nsswitch.conf

FROM scratch
LABEL org.opencontainers.image.title="Dynamic Query" \
      org.opencontainers.image.description="One paged query endpoint over the data models of a SQL database." \
      org.opencontainers.image.source="https://github.com/dynamic-query/dynamic-query" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /runtime /
ENV PATH=/usr/local/bin NODE_ENV=production HOST=0.0.0.0 PORT=3000
USER 65532:65532
EXPOSE 3000
# As PID 1 the server itself handles SIGTERM: it drains, see limits.drain_ms.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s --retries=3 \
  CMD ["dynamic-query", "health"]
ENTRYPOINT ["dynamic-query"]
CMD ["serve"]
