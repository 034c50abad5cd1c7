// Two or more channels that carry one source, and channels that carry several: the cases of bench/channels.ts.
import {
  bassOf,
  type Channels,
  delayed,
  excerpt,
  hiss,
  inverted,
  levelled,
  louder,
  mixed,
  only,
  type Samples,
  stereoMusic,
  turns,
} from "./channel-sounds.ts";
import { inRoom } from "./recordings.ts";

export interface Variant {
  name: string;
  channels: Channels;
  /** Number of channels to transcribe. */
  distinct: number;
  /** Index of the channel to keep, if it matters. */
  chosen?: number;
  codec?: Codec;
}

export interface Codec {
  encoder: string;
  extension: string;
  bitRate: number;
  sampleRate: number;
}

const codec = (encoder: string, extension: string, kilobits: number, sampleRate = 48_000): Codec => ({
  encoder,
  extension,
  bitRate: kilobits * 1000,
  sampleRate,
});

/** Source signals of the variants of one half. */
export interface Material {
  /** At least four, of different speakers. */
  voices: Samples[];
  noises: Samples[];
  rooms: Samples[];
  /** Stereo. */
  music: Channels[];
}

const SECONDS = 14;

export function variantsOf(material: Material, isFirstHalf: boolean): Variant[] {
  const [one, two, three, four] = material.voices.map((voice) => excerpt(voice, SECONDS)) as [
    Samples,
    Samples,
    Samples,
    Samples,
  ];
  const noise = (at: number) => excerpt(material.noises[at % material.noises.length] as Samples, SECONDS, at * 7.3);
  const room = (samples: Samples, at: number) =>
    levelled(inRoom(samples, material.rooms[at % material.rooms.length] as Samples));
  const music = (at: number): [Samples, Samples] => {
    const piece = material.music[at % material.music.length] ?? stereoMusic(SECONDS, at + (isFirstHalf ? 1 : 101));
    return [excerpt(piece[0] as Samples, SECONDS, 5), excerpt(piece[1] as Samples, SECONDS, 5)];
  };
  /** The two halves also differ in every parameter. */
  const either = <T>(first: T, second: T): T => (isFirstHalf ? first : second);
  const same = (name: string, channels: Channels, more: Partial<Variant> = {}): Variant => ({
    name,
    channels,
    distinct: 1,
    ...more,
  });
  const different = (name: string, channels: Channels, more: Partial<Variant> = {}): Variant => ({
    name,
    channels,
    distinct: 2,
    ...more,
  });
  const withMusic = (voice: Samples, at: number, decibels: number): Channels =>
    music(at).map((side) => mixed([voice, 0], [side, decibels]));
  const crossTalk = (left: Samples, right: Samples, decibels: number): Channels => [
    mixed([left, 0], [right, decibels]),
    mixed([right, 0], [left, decibels]),
  ];
  const ownHiss = (channels: Channels, decibels: number): Channels =>
    channels.map((samples, at) => mixed([samples, 0], [hiss(SECONDS, at + 21), decibels]));
  const lossy = [
    codec("libmp3lame", "mp3", either(64, 48)),
    codec("aac", "m4a", either(64, 40)),
    codec("ac3", "ac3", either(96, 64)),
    codec("mp2", "mp2", either(96, 64)),
    codec("libopus", "opus", either(32, 24)),
    codec("libmp3lame", "mp3", either(32, 24), 22_050),
  ];
  const film = (voice: Samples, bleedDecibels: number): Channels => {
    const [left, right] = music(2);
    const bleed = (samples: Samples, milliseconds: number): Samples =>
      mixed([samples, -6], [delayed(voice, milliseconds), bleedDecibels]);
    return [
      bleed(left, 0),
      bleed(right, 0),
      voice,
      mixed([bassOf(voice), 0], [bassOf(left), 0]),
      bleed(noise(0), 15),
      bleed(noise(1), 18),
    ];
  };
  return [
    same("identical", [one, one]),
    same("quieter", [one, louder(one, either(-0.18, -3))], { chosen: 0 }),
    same("much quieter", [one, louder(one, either(-20, -26))], { chosen: 0 }),
    same("much louder", [louder(two, either(-20, -26)), two], { chosen: 1 }),
    same("later by part of a sample", [two, delayed(two, either(0.05, 0.11))]),
    same("later by some ms", [two, delayed(two, either(3, 8))]),
    same("later by a room's width", [one, delayed(one, either(20, 33))]),
    same("much later, quieter", [three, louder(delayed(three, either(60, 130)), -10)]),
    same("inverted", [three, inverted(three)]),
    same("inverted, later, quieter", [one, louder(inverted(delayed(one, either(0.3, 1.7))), -6)]),
    same("own faint noise", ownHiss([two, two], either(-30, -25))),
    same("own noise", ownHiss([one, one], either(-10, -6))),
    same("one channel noisy", [three, mixed([three, 0], [noise(1), either(-6, -3)])], { chosen: 0 }),
    same("stereo noise", [mixed([one, 0], [noise(0), -10]), mixed([one, 0], [noise(1), -10])]),
    same("loud stereo noise", [mixed([two, 0], [noise(1), either(-3, 0)]), mixed([two, 0], [noise(2), either(-3, 0)])]),
    same("stereo music", withMusic(one, 0, either(-10, -8))),
    same("loud stereo music", withMusic(two, 1, either(-3, -2))),
    same("stereo music as loud as the voice", withMusic(three, 2, 0)),
    same("stereo music begins before the voice", withMusic(only(one, 5, SECONDS), 3, either(-6, -3))),
    same("stereo music, voice inverted", [
      mixed([two, 0], [music(1)[0], -8]),
      mixed([inverted(two), 0], [music(1)[1], -8]),
    ]),
    same("two microphones in a room", [room(one, 0), delayed(room(one, 0), either(2, 5))]),
    same("two different rooms", [room(two, 0), room(two, 1)]),
    same("near and far microphone", [three, louder(room(three, 0), either(-6, -12))]),
    same("rooms and noise", [mixed([room(one, 0), 0], [noise(0), -12]), mixed([room(one, 1), 0], [noise(1), -12])]),
    same("two speakers, one microphone", [
      mixed([turns(one, 3, true), 0], [turns(two, 3, false), 0]),
      louder(mixed([turns(one, 3, true), 0], [turns(two, 3, false), 0]), -2),
    ]),
    same("two speakers in a stereo room", crossTalk(turns(one, 3, true), turns(two, 3, false), either(-2, -3))),
    ...lossy.map((one_) => same(`${one_.encoder} ${one_.bitRate / 1000} kbit/s`, [two, two], { codec: one_ })),
    same("codec and stereo music", withMusic(one, 0, -8), { codec: either(lossy[0], lossy[4]) as Codec }),
    same("film 5.1", film(two, either(-12, -20)), { chosen: 2 }),
    same("film 5.1, AC-3", film(three, either(-16, -8)), { chosen: 2, codec: codec("ac3", "ac3", 384) }),
    same("film 5.1, music without voice around it", film(one, -90), { chosen: 2 }),
    same("5.1 from stereo, silent centre", [
      one,
      one,
      one.map(() => 0),
      bassOf(one),
      one.map(() => 0),
      one.map(() => 0),
    ]),

    different("two speakers at once", [one, two]),
    different("two speakers at once, one much quieter", [three, louder(four, either(-26, -30))]),
    different("two speakers in turns", [turns(one, 3, true), turns(three, 3, false)]),
    different("two speakers in turns, hiss", ownHiss([turns(two, 2, true), turns(three, 2, false)], -40)),
    different("cross-talk", crossTalk(one, two, either(-20, -23))),
    different(
      "cross-talk in turns",
      ownHiss(crossTalk(turns(one, 3, true), turns(two, 3, false), either(-20, -26)), -45),
    ),
    different(
      "strong cross-talk in turns",
      ownHiss(crossTalk(turns(three, 3, true), turns(four, 3, false), either(-14, -12)), -45),
    ),
    different("strong cross-talk", crossTalk(three, four, either(-14, -12))),
    different("late cross-talk", [
      mixed([turns(one, 3, true), 0], [delayed(turns(two, 3, false), 80), -20]),
      mixed([turns(two, 3, false), 0], [delayed(turns(one, 3, true), 120), -20]),
    ]),
    different("cross-talk one way", [
      turns(one, 3, true),
      mixed([turns(two, 3, false), 0], [turns(one, 3, true), either(-20, -12)]),
    ]),
    different("one short answer", [
      mixed([one, 0], [hiss(SECONDS, 5), -50]),
      mixed([only(two, either(6, 3), 0.7), 0], [hiss(SECONDS, 6), -50]),
    ]),
    different("one short answer over cross-talk", [one, mixed([only(four, either(6.2, 9), 0.8), 0], [one, -20])]),
    different("silent channel", [one, one.map(() => 0)], { chosen: 0 }),
    different("silent first channel", [two.map(() => 0), two], { chosen: 1 }),
    different("hissing channel", [one, louder(hiss(SECONDS, 9), either(-30, -10))]),
    different("channel of noise", [two, noise(0)]),
    different("same music", crossTalk(mixed([one, 0], [music(0)[0], -10]), mixed([two, 0], [music(0)[0], -10]), -60)),
    different("same loud music", [
      mixed([one, 0], [music(1)[0], either(-3, 0)]),
      mixed([two, 0], [music(1)[0], either(-3, 0)]),
    ]),
    different("same music in turns", [
      mixed([turns(one, 3, true), 0], [music(2)[0], -6]),
      mixed([turns(three, 3, false), 0], [music(2)[0], -6]),
    ]),
    different("stereo music", [mixed([one, 0], [music(1)[0], -6]), mixed([four, 0], [music(1)[1], -6])]),
    different("same noise", [
      mixed([two, 0], [noise(0), either(-10, -3)]),
      mixed([three, 0], [noise(0), either(-10, -3)]),
    ]),
    different("one room", [room(one, 0), room(two, 0)]),
    different("two rooms with cross-talk", [
      mixed([room(one, 0), 0], [room(two, 1), either(-15, -12)]),
      mixed([room(two, 0), 0], [room(one, 1), either(-15, -12)]),
    ]),
    different("different from the middle on", [one, mixed([only(one, 0, 7), 0], [only(three, 7, 7), 0])]),
    different("same only at the end", [
      mixed([only(two, 0, 5), 0], [only(one, 5, 9), 0]),
      mixed([only(three, 0, 5), 0], [only(one, 5, 9), 0]),
    ]),
    ...lossy.slice(0, 5).map((coding) =>
      different(`${coding.encoder} ${coding.bitRate / 1000} kbit/s`, [turns(one, 3, true), turns(two, 3, false)], {
        codec: coding,
      }),
    ),
    different("telephone with cross-talk, 8 kHz codec", crossTalk(turns(two, 3, true), turns(four, 3, false), -20), {
      codec: codec("pcm_mulaw", "wav", 128, 8_000),
    }),
    different("three channels, two sources", [one, two, louder(one, -3)]),
    different("four microphones, two sources", [
      turns(one, 3, true),
      turns(two, 3, false),
      delayed(turns(one, 3, true), 1),
      louder(turns(two, 3, false), -5),
    ]),
    different("two voices in a 5.1 mix", [
      only(three, 2, 5),
      one.map(() => 0),
      turns(one, 7, false),
      bassOf(one),
      one.map(() => 0),
      one.map(() => 0),
    ]),
  ];
}
