/** Why a stream is refused whose bytes, or whose answer, are an error of the decoder. */
export const FAILED =
  "the decoder failed at these bytes of the stream; send the audio in another encoding, or restart the recording";
