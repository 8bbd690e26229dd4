/**
 * What every browser line speaks, whatever travels to the browser: the rate of the better voices, well above what speech needs, and
 * one that Opus decodes to by itself. One format for all lets a call go on when its sound changes from WebRTC to the socket.
 */
export const BROWSER_FORMAT = Object.freeze({ encoding: "linear16", sampleRate: 24_000 } as const);
