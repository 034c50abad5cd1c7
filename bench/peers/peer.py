# One transcriber for the comparison, in a process of its own. Reads a request per line from standard input, writes an answer per line.
# Usage: python peer.py faster-whisper|whisper.cpp|sherpa-onnx MODE MODEL
# Request: {"files": [[path, language], ...], "words": bool}. Answer: {"seconds": s, "texts": [...], "words": [[[text, start, end], ...], ...]}
import json, sys, time
from concurrent.futures import ThreadPoolExecutor

kind, mode, model_path = sys.argv[1:4]


def faster_whisper():
    from faster_whisper import BatchedInferencePipeline, WhisperModel

    workers = 2 if mode == "workers" else 1
    model = WhisperModel(model_path, device="cpu", compute_type="int8", cpu_threads=2 // workers, num_workers=workers)
    options = {"beam_size": 5 if mode == "beams" else 1}
    run = model
    if mode == "batched":
        run, options = BatchedInferencePipeline(model), {"beam_size": 1, "batch_size": 8}

    def one(entry, words):
        path, language = entry
        segments = list(run.transcribe(path, language=language, word_timestamps=words, **options)[0])
        timed = [[w.word, w.start, w.end] for s in segments for w in (s.words or [])] if words else []
        return "".join(s.text for s in segments), timed

    return one, workers


def whisper_cpp():
    from pywhispercpp.model import Model

    # Strategy 1 is the search with beams, the default of its command line.
    beams = {"params_sampling_strategy": 1, "beam_search": {"beam_size": 5, "patience": -1.0}} if mode == "beams" else {"params_sampling_strategy": 0}
    model = Model(model_path, n_threads=2, print_realtime=False, print_progress=False, redirect_whispercpp_logs_to=None, **beams)

    def one(entry, words):
        path, language = entry
        options = {"token_timestamps": True, "max_len": 1, "split_on_word": True} if words else {"token_timestamps": False, "max_len": 0, "split_on_word": False}
        segments = model.transcribe(path, language=language, **options)
        timed = [[s.text, s.t0 / 100, s.t1 / 100] for s in segments if s.text.strip()] if words else []
        return ("" if words else " ").join(s.text for s in segments), timed

    return one, 1


def sherpa_onnx():
    import queue, wave

    import numpy as np
    import sherpa_onnx

    workers = 2 if mode == "workers" else 1
    free = queue.Queue()
    for _ in range(workers):
        free.put(sherpa_onnx.OfflineRecognizer.from_moonshine_v2(
            encoder=f"{model_path}/encoder_model.onnx",
            decoder=f"{model_path}/decoder_model_merged.onnx",
            tokens=f"{model_path}/tokens.txt",
            num_threads=2 // workers,
        ))
    activity = sherpa_onnx.VadModelConfig()
    activity.silero_vad.model = f"{model_path}/silero_vad.onnx"
    activity.silero_vad.min_silence_duration = 0.25
    activity.silero_vad.max_speech_duration = 20
    activity.sample_rate = 16000

    def speech(samples):
        # Its recognisers take one sentence; its documentation cuts longer files by voice activity.
        detector = sherpa_onnx.VoiceActivityDetector(activity, buffer_size_in_seconds=60)
        window = activity.silero_vad.window_size
        for at in range(0, len(samples), window):
            detector.accept_waveform(samples[at : at + window])
            while not detector.empty():
                yield np.array(detector.front.samples)
                detector.pop()
        detector.flush()
        while not detector.empty():
            yield np.array(detector.front.samples)
            detector.pop()

    def one(entry, words):
        with wave.open(entry[0]) as file:
            samples = np.frombuffer(file.readframes(file.getnframes()), dtype=np.int16).astype(np.float32) / 32768
        recognizer = free.get()
        try:
            texts = []
            for part in speech(samples):
                stream = recognizer.create_stream()
                stream.accept_waveform(16000, part)
                recognizer.decode_stream(stream)
                texts.append(stream.result.text)
            return " ".join(texts), []
        finally:
            free.put(recognizer)

    return one, workers


kinds = {"faster-whisper": faster_whisper, "whisper.cpp": whisper_cpp, "sherpa-onnx": sherpa_onnx}
transcribe, workers = kinds[kind]()
print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    started = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        found = list(pool.map(lambda entry: transcribe(entry, request["words"]), request["files"]))
    seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "texts": [text for text, _ in found], "words": [words for _, words in found]}), flush=True)
