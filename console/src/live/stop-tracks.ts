/** Turns the microphone off, or ends the sharing of a tab. */
export function stopTracks(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
