import { defineConfig } from "vitest/config";

export default defineConfig({ test: { include: ["../tests/frontend/scripts/*.test.ts"], environment: "node" } });
