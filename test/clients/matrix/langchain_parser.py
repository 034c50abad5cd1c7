import os

from langchain_community.document_loaders.blob_loaders import Blob
from langchain_community.document_loaders.parsers.audio import OpenAIWhisperParser

parser = OpenAIWhisperParser(api_key=os.environ["KEY"], base_url=os.environ["SERVICE"] + "/v1")
for document in parser.lazy_parse(Blob.from_path(os.environ["RECORDING"])):
    print(document.page_content)
