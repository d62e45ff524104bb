/** Starts a thread of our own. */
import { type ResourceLimits, Worker } from 'node:worker_threads'

/**
 * A thread does not take over what its process has compiled, but for what the process has said in its environment: with
 * it, a thread is there sooner and has 30 MB less.
 */
const threadStart = `
  const { NODE_COMPILE_CACHE } = process.env
  if (NODE_COMPILE_CACHE !== undefined) require('node:module').enableCompileCache(NODE_COMPILE_CACHE)
  import(require('node:worker_threads').workerData.module)
`

/** A thread that runs the module and is given the data. It is its owner's to end. */
export const startThread = (module: URL, data: object, resourceLimits: ResourceLimits): Worker =>
  new Worker(threadStart, { eval: true, workerData: { ...data, module: module.href }, resourceLimits })
