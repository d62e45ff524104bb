import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { packageRoot } from '../../src/package-root.ts'

const text = (name: string): string => readFileSync(join(packageRoot, name), 'utf8')

const serviceSchema = z.looseObject({
  image: z.string(),
  user: z.string(),
  command: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()),
  privileged: z.never().optional(),
  network_mode: z.never().optional(),
})

const compose = z
  .object({
    services: z.strictObject({ schedule: serviceSchema, gateway: serviceSchema }),
    volumes: z.record(z.string(), z.unknown()),
  })
  .parse(parse(text('docker-compose.yml')))
const { schedule, gateway } = compose.services
const services = [schedule, gateway]

const instructions = text('Dockerfile')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const last = (word: string): string | undefined => instructions.findLast((line) => line.startsWith(`${word} `))

describe('docker-compose.yml', () => {
  it('has one volume, which both services mount where the store lies', () => {
    expect(Object.keys(compose.volumes)).toEqual(['store'])
    expect(schedule.volumes).toEqual(['store:/data'])
    expect(gateway.volumes).toEqual(['store:/data:ro'])
  })

  it('publishes the gateway to this machine only, and nothing of the other service', () => {
    expect(schedule.ports).toEqual([])
    expect(gateway.ports).toEqual(['127.0.0.1:8920:8920'])
    expect(gateway.command).toContain('0.0.0.0:8920')
  })

  it('runs the two commands from one image', () => {
    expect(services.map((service) => service.command[0])).toEqual(['schedule', 'serve'])
    expect(new Set(services.map((service) => service.image)).size).toBe(1)
  })

  it('runs nothing as root', () => {
    for (const { user } of services) expect(user).not.toMatch(/^(?:root|0)\b/)
  })
})

describe('the image', () => {
  it('ends as a user that is not root', () => {
    expect(last('USER')).toBe('USER node')
    expect(instructions.indexOf('USER node')).toBeGreaterThan(
      instructions.findLastIndex((line) => line.startsWith('FROM ')),
    )
  })

  it('keeps the store on the volume that the services mount', () => {
    expect(last('VOLUME')).toBe('VOLUME /data')
    expect(last('ENV')).toContain('STICHTAG_HOME=/data')
  })

  it('is built on the same Node in each stage, with the package manager that .ci/run uses', () => {
    const stages = instructions.filter((line) => line.startsWith('FROM '))
    expect(stages.filter((line) => !line.startsWith('FROM node:24-slim'))).toEqual([])
    const [, packageManager] = /npx -y (\S+)/.exec(text('.ci/run')) ?? []
    const used = [...text('Dockerfile').matchAll(/npx -y (\S+)/g)].map(([, name]) => name)
    expect(new Set(used)).toEqual(new Set([packageManager]))
  })
})
