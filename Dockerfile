# syntax=docker/dockerfile:1

# The package, built with everything that building needs.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
RUN npx -y pnpm@12.21.0 install --frozen-lockfile
COPY . .
RUN npx -y pnpm@12.21.0 build

# What it needs while running, and nothing else.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
RUN npx -y pnpm@12.21.0 install --prod --frozen-lockfile

FROM node:24-slim
# The bzip2 program is several times as fast as reading bzip2 in JavaScript, which is the way without it.
RUN apt-get update && apt-get install -y --no-install-recommends bzip2 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/package.json ./package.json
COPY --from=build /app/bin ./bin
COPY --from=build /app/dist ./dist
COPY --from=build /app/schemas ./schemas
COPY --from=build /app/data ./data
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production STICHTAG_HOME=/data
VOLUME /data
USER node
EXPOSE 8920
ENTRYPOINT ["node", "bin/stichtag.mjs"]
CMD ["--help"]
