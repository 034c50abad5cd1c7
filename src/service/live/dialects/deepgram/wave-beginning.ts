// The beginning of a stream whose request states no encoding.

const WAVE_MAGIC = Buffer.from("RIFF");

export class WaveBeginning {
  /** Bytes of the start of the stream that were judged. */
  private judged = 0;

  /** The beginning was judged by the connection that sent it. */
  skip(): void {
    this.judged = WAVE_MAGIC.length;
  }

  /** @returns why the stream is no WAV stream */
  judge(bytes: Buffer): string | undefined {
    const rest = WAVE_MAGIC.subarray(this.judged, this.judged + bytes.length);
    this.judged += rest.length;
    if (bytes.subarray(0, rest.length).equals(rest)) return undefined;
    return "without the parameter encoding, the stream must begin with a WAV header. For raw samples, set encoding to linear16, mulaw or alaw, and sample_rate; other containers and codecs cannot be streamed";
  }
}
