// The first audio stream in an MPEG transport stream (ISO 13818-1): AAC with ADTS headers, or MP3. Everything else is passed over.
import type { Demuxer, Part } from "./demuxer.ts";
import { MpegFrames } from "./mpeg-frames.ts";

const PACKET_BYTES = 188;
const SYNC = 0x47;
/** Longest section of the tables that name the streams. */
const MOST_SECTION_BYTES = 1_024;
const MOST_PES_HEADER_BYTES = 64;

const [MPEG_1_AUDIO, MPEG_2_AUDIO, ADTS] = [0x03, 0x04, 0x0f];
/** Audio that is not decoded, by its type in the table of the program. */
const OTHER_AUDIO: Readonly<Record<number, string>> = {
  17: "AAC in LATM",
  129: "AC-3",
  135: "E-AC-3",
  130: "DTS",
};

/** Gathers a section, which may have several packets. */
class Section {
  private bytes: Buffer = Buffer.alloc(0);
  private isOpen = false;

  /** @returns the section when it is complete */
  add(payload: Buffer, isStart: boolean): Buffer | undefined {
    let rest = payload;
    if (isStart) {
      rest = payload.subarray(1 + (payload[0] ?? 0));
      this.bytes = Buffer.alloc(0);
      this.isOpen = true;
    }
    if (!this.isOpen) return undefined;
    this.bytes = Buffer.concat([this.bytes, rest]);
    if (this.bytes.length < 3) return undefined;
    const length = 3 + (this.bytes.readUInt16BE(1) & 0xfff);
    if (length > MOST_SECTION_BYTES) {
      this.isOpen = false;
      return undefined;
    }
    if (this.bytes.length < length) return undefined;
    this.isOpen = false;
    return this.bytes.subarray(0, length);
  }
}

/** 33 bits, 90 kHz. @param header  from the start code on */
function presentationTime(header: Buffer): number | undefined {
  if (((header[7] ?? 0) & 0x80) === 0 || header.length < 14) return undefined;
  const high = ((header[9] as number) >> 1) & 7;
  return high * 2 ** 30 + (header.readUInt16BE(10) >> 1) * 2 ** 15 + (header.readUInt16BE(12) >> 1);
}

export class TransportStream implements Demuxer {
  private pending: Buffer = Buffer.alloc(0);
  private readonly programs = new Section();
  private readonly streams = new Section();
  private programPid: number | undefined;
  private audioPid: number | undefined;
  private audioType: number | undefined;
  private frames: MpegFrames | undefined;
  /** The header of the current packet of audio, until it is complete. */
  private header: Buffer | undefined;
  private isInAudio = false;
  private hasClock = false;

  push(bytes: Buffer): Part[] {
    this.pending = this.pending.length > 0 ? Buffer.concat([this.pending, bytes]) : bytes;
    const parts: Part[] = [];
    const audio: Buffer[] = [];
    let at = 0;
    while (this.pending.length - at >= PACKET_BYTES) {
      if (this.pending[at] !== SYNC) {
        const next = this.pending.indexOf(SYNC, at + 1);
        at = next < 0 ? this.pending.length : next;
        continue;
      }
      this.take(this.pending.subarray(at, at + PACKET_BYTES), audio, parts);
      at += PACKET_BYTES;
    }
    this.pending = this.pending.subarray(at);
    parts.push(...this.decodable(audio));
    return parts;
  }

  end(): Part[] {
    return this.frames?.end() ?? [];
  }

  private decodable(audio: Buffer[]): Part[] {
    return audio.length > 0 && this.frames ? this.frames.push(Buffer.concat(audio.splice(0))) : [];
  }

  private take(packet: Buffer, audio: Buffer[], parts: Part[]): void {
    const isStart = ((packet[1] as number) & 0x40) !== 0;
    const pid = packet.readUInt16BE(1) & 0x1fff;
    const control = ((packet[3] as number) >> 4) & 3;
    if ((control & 1) === 0) return;
    const payload = packet.subarray(control === 3 ? 5 + (packet[4] as number) : 4);
    if (payload.length === 0) return;
    if (pid === 0) this.readPrograms(this.programs.add(payload, isStart));
    else if (pid === this.programPid) this.readStreams(this.streams.add(payload, isStart), audio, parts);
    else if (pid === this.audioPid) this.readAudio(payload, isStart, audio, parts);
  }

  /** The first program. */
  private readPrograms(section: Buffer | undefined): void {
    if (!section) return;
    for (let at = 8; at + 4 <= section.length - 4; at += 4) {
      if (section.readUInt16BE(at) === 0) continue;
      this.programPid = section.readUInt16BE(at + 2) & 0x1fff;
      return;
    }
  }

  /** The first audio stream of the program. */
  private readStreams(section: Buffer | undefined, audio: Buffer[], parts: Part[]): void {
    if (!section || section.length < 16) return;
    let at = 12 + (section.readUInt16BE(10) & 0xfff);
    let other: string | undefined;
    let count = 0;
    for (; at + 5 <= section.length - 4; count++) {
      const type = section[at] as number;
      const pid = section.readUInt16BE(at + 1) & 0x1fff;
      at += 5 + (section.readUInt16BE(at + 3) & 0xfff);
      if (type !== ADTS && type !== MPEG_1_AUDIO && type !== MPEG_2_AUDIO) {
        other ??= OTHER_AUDIO[type];
        continue;
      }
      if (this.audioType !== type) {
        parts.push(...this.decodable(audio), ...(this.frames?.end() ?? []));
        this.frames = new MpegFrames(type === ADTS ? "aac" : "mp3");
      }
      if (this.audioPid !== pid) this.isInAudio = false;
      this.audioPid = pid;
      this.audioType = type;
      return;
    }
    if (this.audioPid !== undefined || count === 0) return;
    const found = other === undefined ? "no audio" : `the audio is ${other}`;
    parts.push({ kind: "refused", reason: `a transport stream must have AAC (ADTS) or MP3; ${found}` });
  }

  private readAudio(payload: Buffer, isStart: boolean, audio: Buffer[], parts: Part[]): void {
    if (isStart) {
      this.header = Buffer.alloc(0);
      this.isInAudio = false;
    }
    if (this.header) {
      const header = Buffer.concat([this.header, payload]);
      const length = 9 + (header[8] ?? MOST_PES_HEADER_BYTES);
      if (header.length < Math.max(9, length)) {
        // A header of audio fits into a packet; a longer one is damage.
        this.header = header.length > 4 * PACKET_BYTES ? undefined : header;
        return;
      }
      this.header = undefined;
      if (header.readUIntBE(0, 3) !== 1) return;
      this.isInAudio = true;
      const ticks = presentationTime(header);
      if (!this.hasClock && ticks !== undefined) {
        this.hasClock = true;
        parts.push({ kind: "clock", ticks });
      }
      audio.push(header.subarray(length));
    } else if (this.isInAudio) audio.push(payload);
  }
}
