// In the browser's audio thread: hands on what is heard, mixed to one channel, in pieces of a twentieth of a second.
const PIECES_PER_SECOND = 20;

class Capture extends AudioWorkletProcessor {
  constructor() {
    super();
    this.piece = new Float32Array(Math.round(sampleRate / PIECES_PER_SECOND));
    this.filled = 0;
  }

  process([channels]) {
    const count = channels.length;
    const frames = channels[0]?.length ?? 0;
    for (let frame = 0; frame < frames; frame++) {
      let sum = 0;
      for (const channel of channels) sum += channel[frame];
      this.piece[this.filled++] = sum / count;
      if (this.filled === this.piece.length) {
        this.port.postMessage(this.piece.slice());
        this.filled = 0;
      }
    }
    return true;
  }
}

registerProcessor("capture", Capture);
