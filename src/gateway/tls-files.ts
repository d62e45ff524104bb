/**
 * Certificate and key from files, in PEM. They are read again when they change, so that a certificate is renewed without
 * a restart: connections that are open stay, new ones get the new one. While the two do not belong together (one of them
 * is written before the other) or cannot be read, the one before goes on.
 */
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { StichtagError } from '../errors.ts'
import type { Log } from '../log.ts'
import { stampOf } from './file-stamp.ts'

const lookEveryMs = 1000

/** Certificate and key, in PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

export interface TlsPaths {
  readonly cert: string
  readonly key: string
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StichtagError('FILE_NOT_FOUND', `${path} cannot be read: ${String(cause)}`, { cause })
  }
}

/** Reads both. Throws FILE_NOT_FOUND, or USAGE where they do not belong together. */
export const readCertificate = ({ cert, key }: TlsPaths): Certificate => {
  const certificate = { cert: textOf(cert), key: textOf(key) }
  try {
    createSecureContext(certificate)
  } catch (cause) {
    throw new StichtagError('USAGE', `${cert} and ${key} do not make a certificate: ${String(cause)}`, { cause })
  }
  return certificate
}

export class TlsFiles {
  readonly #paths: TlsPaths
  readonly #log: Log
  readonly #listeners = new Set<(certificate: Certificate) => void>()
  readonly #looking: NodeJS.Timeout
  #current: Certificate
  #stamp: string

  /** Reads the files. Throws as {@link readCertificate} does. */
  constructor(paths: TlsPaths, log: Log) {
    this.#paths = paths
    this.#log = log
    this.#stamp = this.#look()
    this.#current = readCertificate(paths)
    this.#looking = setInterval(() => this.#readAnew(), lookEveryMs)
    this.#looking.unref()
  }

  get current(): Certificate {
    return this.#current
  }

  /** Calls back with each new certificate; returns how to stop. */
  onRenewed(listener: (certificate: Certificate) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  close(): void {
    clearInterval(this.#looking)
    this.#listeners.clear()
  }

  #look(): string {
    return `${stampOf(this.#paths.cert)}\n${stampOf(this.#paths.key)}`
  }

  #readAnew(): void {
    const stamp = this.#look()
    if (stamp === this.#stamp) return
    this.#stamp = stamp
    try {
      this.#current = readCertificate(this.#paths)
    } catch (error) {
      this.#log.error({ err: error }, 'the new certificate cannot be used; the one before goes on')
      return
    }
    this.#log.info({ cert: this.#paths.cert }, 'the certificate was renewed')
    for (const listener of this.#listeners) listener(this.#current)
  }
}
