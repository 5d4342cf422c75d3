import { getPriority, platform, setPriority } from 'node:os'

/**
 * Lowers the priority of the calling thread within the process, which matters where there are few cores. Best effort:
 * some containers do not allow it, and then the thread keeps the priority of the process.
 */
export function yieldToOthers(by: number): void {
  // On other systems this would affect the whole process.
  if (platform() !== 'linux') return
  try {
    setPriority(Math.min(19, getPriority() + by))
  } catch {
    // The thread then competes with the others for the cores.
  }
}
