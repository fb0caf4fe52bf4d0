import type { ProtocolName, UpstreamModel } from './names.ts'
import type { Profile } from './profile.ts'

/** An upstream's name together with its name for the model, and what that model can take. */
export interface TargetModel {
  /** The name of the upstream in the config. */
  readonly upstream: string
  /** Whose API that is, where the config says so: prices go by it. */
  readonly vendor?: string
  readonly model: UpstreamModel
  readonly protocol: ProtocolName | 'engine'
  readonly profile: Profile
}
