# Builds with all packages, ships without the development ones.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
ARG COMMIT=unknown
RUN npm run build && npm run licences && npm prune --omit=dev

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# Threads share two heaps of malloc: 8 MB less.
ENV MALLOC_ARENA_MAX=2
# The only writable folder besides /tmp; operators mount a volume here.
RUN mkdir /data && chown node:node /data
VOLUME /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/build build
ARG COMMIT=unknown VERSION=1.0.0
LABEL org.opencontainers.image.title=Sealdesk org.opencontainers.image.licenses=MIT \
  org.opencontainers.image.version=$VERSION org.opencontainers.image.revision=$COMMIT
USER node
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "node_modules/@react-router/serve/bin.js", "build/server/index.js"]
