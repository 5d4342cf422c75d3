import { loadModels, type Models } from '../../src/risk/model/load.ts'

/** The models, loaded once for all files of a process: loading takes half a second. */
export function testModels(): Models {
  loaded ??= loadModels()
  return loaded
}

let loaded: Models | undefined
