import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many tests wait for processes of their own: with a worker for each core, none of them would be idle meanwhile.
    maxWorkers: 3,
  },
})
