# A checkpoint of Whisper as the hub has it -> the form that faster-whisper (CTranslate2) reads; numpy and ctranslate2 alone.
# Usage: python ctranslate2-whisper.py CHECKPOINT OUTPUT
import json, os, shutil, struct, sys
import numpy as np
from ctranslate2.specs import whisper_spec

folder, out = sys.argv[1], sys.argv[2]
config = json.load(open(os.path.join(folder, "config.json")))
with open(os.path.join(folder, "model.safetensors"), "rb") as f:
    header = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
    base = f.tell()
    def read(name):
        entry = header[name]
        begin, end = entry["data_offsets"]
        f.seek(base + begin)
        kind = {"F16": np.float16, "F32": np.float32}[entry["dtype"]]
        return np.frombuffer(f.read(end - begin), kind).reshape(entry["shape"]).astype(np.float32)
    spec = whisper_spec.WhisperSpec(config["encoder_layers"], config["encoder_attention_heads"],
                                    config["decoder_layers"], config["decoder_attention_heads"])
    def linear(target, names):
        target.weight = np.concatenate([read(n + ".weight") for n in names])
        target.bias = np.concatenate([read(n + ".bias") if n + ".bias" in header else np.zeros(read(n + ".weight").shape[0], np.float32) for n in names])
    def norm(target, name):
        target.gamma, target.beta = read(name + ".weight"), read(name + ".bias")
    def attention(target, name, is_self):
        parts = [[f"{name}.{p}_proj" for p in "qkv"]] if is_self else [[f"{name}.q_proj"], [f"{name}.k_proj", f"{name}.v_proj"]]
        for at, names in enumerate(parts): linear(target.linear[at], names)
        linear(target.linear[-1], [name + ".out_proj"])
        norm(target.layer_norm, name + "_layer_norm")
    def layers(target, name, is_decoder):
        for at, layer in enumerate(target):
            prefix = f"{name}.layers.{at}"
            attention(layer.self_attention, prefix + ".self_attn", True)
            if is_decoder: attention(layer.attention, prefix + ".encoder_attn", False)
            norm(layer.ffn.layer_norm, prefix + ".final_layer_norm")
            linear(layer.ffn.linear_0, [prefix + ".fc1"])
            linear(layer.ffn.linear_1, [prefix + ".fc2"])
    e, d = spec.encoder, spec.decoder
    for conv in ("conv1", "conv2"):
        getattr(e, conv).weight, getattr(e, conv).bias = read(f"model.encoder.{conv}.weight"), read(f"model.encoder.{conv}.bias")
    e.position_encodings.encodings = read("model.encoder.embed_positions.weight")
    d.position_encodings.encodings = read("model.decoder.embed_positions.weight")
    d.embeddings.weight = read("model.decoder.embed_tokens.weight")
    d.projection.weight = d.embeddings.weight
    d.scale_embeddings = False
    layers(e.layer, "model.encoder", False); layers(d.layer, "model.decoder", True)
    norm(e.layer_norm, "model.encoder.layer_norm"); norm(d.layer_norm, "model.decoder.layer_norm")
tokenizer = json.load(open(os.path.join(folder, "tokenizer.json")))
vocabulary = {**tokenizer["model"]["vocab"], **{t["content"]: t["id"] for t in tokenizer["added_tokens"]}}
spec.register_vocabulary([t for t, _ in sorted(vocabulary.items(), key=lambda item: item[1])])
generation = json.load(open(os.path.join(folder, "generation_config.json")))
spec.config.suppress_ids = generation["suppress_tokens"]
spec.config.suppress_ids_begin = generation["begin_suppress_tokens"]
spec.config.lang_ids = sorted(generation["lang_to_id"].values())
spec.config.alignment_heads = generation["alignment_heads"]
spec.validate(); spec.optimize(quantization="float32")
os.makedirs(out, exist_ok=True); spec.save(out)
shutil.copy(os.path.join(folder, "tokenizer.json"), out)
