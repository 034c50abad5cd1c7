# A checkpoint of Whisper as the hub publishes it -> the file that whisper.cpp reads, with matrices in blocks of 8 bits (q8_0).
# Needs numpy alone. Usage: python ggml-whisper.py CHECKPOINT OUTPUT
# Layout: whisper.cpp's README of its models ("ggml format") and ggml's block_q8_0: 32 values as a float16 scale and 32 int8.
import json, os, struct, sys
import numpy as np

MAGIC = 0x67676D6C
F32, F16, Q8_0 = 0, 1, 8
# GGML_FTYPE_MOSTLY_Q8_0, and the version of the quantization in thousands.
FILE_TYPE = 7 + 2 * 1000
BLOCK = 32

folder, out = sys.argv[1], sys.argv[2]
config = json.load(open(os.path.join(folder, "config.json")))
with open(os.path.join(folder, "model.safetensors"), "rb") as f:
    header = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
    body = f.read()


def read(name):
    entry = header[name]
    begin, end = entry["data_offsets"]
    kind = {"F16": np.float16, "F32": np.float32}[entry["dtype"]]
    return np.frombuffer(body[begin:end], kind).reshape(entry["shape"]).astype(np.float32)


def mel_filters(bins, rate=16_000, points=400):
    """Slaney's mel scale with filters of equal area, as Whisper uses it: [bins, points / 2 + 1]."""
    log_step = np.log(6.4) / 27
    to_mel = lambda hz: np.where(hz < 1000, hz * 3 / 200, 15 + np.log(np.maximum(hz, 1e-9) / 1000) / log_step)
    to_hz = lambda mel: np.where(mel < 15, mel * 200 / 3, 1000 * np.exp(log_step * (mel - 15)))
    edges = to_hz(np.linspace(to_mel(np.array(0.0)), to_mel(np.array(rate / 2)), bins + 2))
    frequencies = np.linspace(0, rate / 2, points // 2 + 1)
    rising = (frequencies[None] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - frequencies[None]) / (edges[2:] - edges[1:-1])[:, None]
    return (np.maximum(0, np.minimum(rising, falling)) * (2 / (edges[2:] - edges[:-2]))[:, None]).astype(np.float32)


def byte_decoder():
    """The characters that stand for bytes in GPT-2's vocabularies."""
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in kept]
    return {**{chr(byte): byte for byte in kept}, **{chr(256 + at): byte for at, byte in enumerate(others)}}


def block_name(side, at, rest):
    for old, new in (
        ("self_attn.q_proj", "attn.query"), ("self_attn.k_proj", "attn.key"), ("self_attn.v_proj", "attn.value"),
        ("self_attn.out_proj", "attn.out"), ("self_attn_layer_norm", "attn_ln"),
        ("encoder_attn.q_proj", "cross_attn.query"), ("encoder_attn.k_proj", "cross_attn.key"),
        ("encoder_attn.v_proj", "cross_attn.value"), ("encoder_attn.out_proj", "cross_attn.out"),
        ("encoder_attn_layer_norm", "cross_attn_ln"), ("final_layer_norm", "mlp_ln"), ("fc1", "mlp.0"), ("fc2", "mlp.2"),
    ):
        if rest.startswith(old + "."):
            return f"{side}.blocks.{at}.{new}.{rest.rsplit('.', 1)[1]}"
    raise ValueError(rest)


def ggml_name(name):
    name = name.removeprefix("model.")
    side, rest = name.split(".", 1)
    if rest.startswith("layers."):
        _, at, rest = rest.split(".", 2)
        return block_name(side, at, rest)
    if rest.startswith("layer_norm."):
        return f"{side}.{'ln_post' if side == 'encoder' else 'ln'}.{rest.split('.')[1]}"
    return {"embed_positions.weight": f"{side}.positional_embedding", "embed_tokens.weight": f"{side}.token_embedding.weight"}.get(rest, name)


def blocks_of(matrix):
    rows = matrix.reshape(-1, BLOCK)
    scales = np.abs(rows).max(axis=1) / 127
    inverse = np.where(scales > 0, 1 / np.where(scales > 0, scales, 1), 0)
    values = np.clip(np.rint(rows * inverse[:, None]), -127, 127).astype(np.int8)
    packed = np.empty(len(rows), dtype=[("scale", "<f2"), ("values", "i1", BLOCK)])
    packed["scale"], packed["values"] = scales, values
    return packed.tobytes()


tokenizer = json.load(open(os.path.join(folder, "tokenizer.json")))
vocabulary = sorted(tokenizer["model"]["vocab"].items(), key=lambda item: item[1])
decoder = byte_decoder()
with open(out, "wb") as f:
    write = lambda *values: f.write(struct.pack(f"<{len(values)}i", *values))
    write(MAGIC, config["vocab_size"], config["max_source_positions"], config["d_model"], config["encoder_attention_heads"],
          config["encoder_layers"], config["max_target_positions"], config["d_model"], config["decoder_attention_heads"],
          config["decoder_layers"], config["num_mel_bins"], FILE_TYPE)
    filters = mel_filters(config["num_mel_bins"])
    write(*filters.shape)
    f.write(filters.tobytes())
    write(len(vocabulary))
    for token, _ in vocabulary:
        text = bytes(decoder[character] for character in token) if token not in ("<|endoftext|>",) else token.encode()
        write(len(text))
        f.write(text)
    for source in header:
        if source == "__metadata__" or source == "proj_out.weight":
            continue
        name, data = ggml_name(source), read(source)
        if name in ("encoder.conv1.bias", "encoder.conv2.bias"):
            data = data.reshape(-1, 1)
        is_matrix = data.ndim == 2 and not name.endswith(("bias", "positional_embedding"))
        kind = Q8_0 if is_matrix else F16 if data.ndim == 3 else F32
        encoded = name.encode()
        write(data.ndim, len(encoded), kind, *reversed(data.shape))
        f.write(encoded)
        f.write(blocks_of(data) if is_matrix else data.astype(np.float16 if kind == F16 else np.float32).tobytes())
