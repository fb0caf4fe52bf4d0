import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { plugin } from 'bun'
import type * as library from 'node-llama-cpp'

/** llama.cpp as this process has loaded it, and the library that speaks for it. */
export interface Backend {
  readonly library: Library
  readonly llama: library.Llama
  /** The folder that it was loaded from, where it is not the one that comes with Parley. */
  readonly folder?: string | undefined
}

export type Library = typeof library

/**
 * Loads llama.cpp: from `gpuPath`, where the builds for graphics cards were installed, if it is there and works on this
 * machine; else the build that comes with Parley. Rejects if no build fits the machine.
 */
export async function openBackend(gpuPath: string | undefined, platform: string): Promise<Backend> {
  const entry = gpuPath === undefined ? undefined : join(gpuPath, 'dist', 'index.js')
  if (entry !== undefined && existsSync(entry)) {
    try {
      return { ...(await start(await imported(entry), 'auto')), folder: gpuPath }
    } catch {
      // A build that this machine's driver does not take: the processor still does.
    }
  }
  loadWithoutTrial()
  // Apple's graphics need no builds of their own; looking for other cards takes time and finds none of these builds.
  return start(await import('node-llama-cpp'), platform === 'darwin' ? 'auto' : false)
}

/**
 * The library tries a build in another process before it loads it, which takes as long as all the rest of a start. This is
 * a process of its own already: one that the build kills is replaced, and said to be.
 */
function loadWithoutTrial(): void {
  const contents = 'export const testBindingBinary = async () => true'
  plugin({
    name: 'load-without-trial',
    setup: (build) =>
      void build.onLoad({ filter: /[/\\]testBindingBinary\.js$/ }, () => ({
        contents,
        loader: 'js',
      })),
  })
}

/** The same library in another place. */
async function imported(entry: string): Promise<Library> {
  const library: unknown = await import(pathToFileURL(entry).href)
  return library as Library
}

async function start(library: Library, gpu: 'auto' | false): Promise<Backend> {
  const llama = await library.getLlama({
    gpu,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    maxThreads: 0,
    logLevel: library.LlamaLogLevel.disabled,
    logger: () => undefined,
  })
  return { library, llama }
}
