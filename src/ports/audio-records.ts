import type { Audio, AudioSound } from "../model/uploaded-audio.ts";
import type { PageRequest, Positioned } from "./page.ts";

/** Sounds that customers have uploaded. Every method stays within one workspace. */
export interface AudioRecords {
  listAudio(workspaceId: string, page: PageRequest): Promise<Positioned<Audio>>;
  /** Answers nothing, and adds nothing, when the workspace has `most` sounds already. */
  addAudio(
    workspaceId: string,
    audio: Pick<Audio, "id" | "name"> & AudioSound,
    most: number,
  ): Promise<Audio | undefined>;
  removeAudio(workspaceId: string, id: string): Promise<Audio | undefined>;
  readAudio(workspaceId: string, id: string): Promise<AudioSound | undefined>;
}
