// Messages of the service in Brazilian Portuguese: src/contract/messages has their English forms. The conventions are those of tables/pt.ts.
import type { MessageTexts } from "../../../../src/contract/messages/read-message.ts";

export const messages: MessageTexts = {
  "request.invalid": "Há parâmetros inválidos; validation_errors os indica.",
  "request.malformed": "Não foi possível ler a requisição: {reason}",
  "request.not_found": "Não encontrado: {what}",
  "request.not_found.job": "Esta gravação não existe.",
  "request.not_found.note": "Esta nota não existe.",
  "request.not_found.key": "Esta chave não existe.",
  "request.not_found.voice": "Esta voz não existe.",
  "request.not_found.word": "Esta palavra não está no vocabulário.",
  "request.not_found.vocabulary_list": "Esta lista de palavras não existe.",
  "request.not_found.audio": "O áudio desta gravação não está guardado.",
  "request.not_found.correction": "Não há correção que possa ser desfeita.",
  "request.other_page":
    "A requisição vem de uma página de outra origem. Sem chave em um cabeçalho, só as páginas deste serviço e de PARLANCE_CORS_ORIGINS podem enviar requisições; só o console pode entrar.",
  "request.foreign_host":
    "O host {host} não é deste serviço. PARLANCE_PUBLIC_URL ou PARLANCE_ALLOWED_HOSTS deve conter o nome usado para acessá-lo, ou é preciso uma chave em um cabeçalho.",
  "request.too_large": "A requisição passa dos {megabytes} MB permitidos.",
  "request.too_large.unknown": "A requisição é grande demais.",
  "request.body_too_slow":
    "Os dados chegam devagar demais: são necessários ao menos {bytes} bytes a cada {seconds} segundos.",
  "account.key_missing": "Nenhuma chave foi enviada. Ela vai no cabeçalho {header} ou em authorization: Bearer KEY.",
  "account.key_unknown": "Esta chave é desconhecida ou foi revogada.",
  "account.too_many_guesses":
    "Chaves erradas demais vieram deste endereço ou desta rede; é preciso esperar {seconds} segundos. As chaves já reconhecidas continuam aceitas.",
  "account.not_operator": "Só as chaves da conta padrão podem ler ou mudar o que é de todo o serviço.",
  "limit.keys": "Esta conta chegou ao limite de {most} chaves; é preciso revogar uma antes.",
  "limit.queued_jobs": "Já há {limit} gravações desta conta esperando.",
  "limit.event_streams": "Este processo já tem {limit} fluxos de eventos desta conta; é preciso fechar um antes.",
  "limit.requests": "Esta conta pode enviar {limit} requisições por segundo.",
  "callbacks.header_locked":
    "O valor de webhook_auth_header_value não pode ser aberto, e este webhook não pode ser enviado. O operador deve definir o PARLANCE_SECRETS_KEY que o selou, ou indicá-lo como PARLANCE_SECRETS_KEY_PREVIOUS.",
  "callbacks.secrets_locked":
    "O segredo dos callbacks desta conta não pode ser aberto, e seus callbacks esperam. O operador deve definir o PARLANCE_SECRETS_KEY que o selou; se ele se perdeu, é preciso criar um novo segredo.",
  "callback.failed": "Não foi possível enviar o callback: {reason}",
  "storage.full":
    "Não há mais espaço no disco (df -h, df -i). É preciso excluir gravações, definir PARLANCE_AUDIO_RETENTION_DAYS ou liberar espaço; o serviço é retomado automaticamente.",
  "storage.full.free":
    "Não há mais espaço no disco do serviço: {free} MB livres. É preciso excluir gravações, definir PARLANCE_AUDIO_RETENTION_DAYS ou liberar espaço; depois as requisições voltam a ser aceitas.",
  "storage.full.reserved":
    "Não há mais espaço no disco do serviço: {free} MB livres, {reserved} MB reservados. É preciso excluir gravações, definir PARLANCE_AUDIO_RETENTION_DAYS ou liberar espaço; depois as requisições voltam a ser aceitas.",
  "storage.unavailable":
    "O armazenamento de gravações e transcrições não responde; é preciso tentar de novo em instantes.",
  "storage.recording_damaged":
    "A gravação guardada está danificada: tem {found} de {expected} bytes. É preciso restaurá-la de um backup ou enviá-la de novo.",
  "system.exhausted":
    "A máquina não tem mais descritores de arquivo, memória ou processos para este serviço; é preciso tentar de novo em instantes. Se ocorrer com frequência, é preciso aumentar os limites (ulimit -n, ulimit -u, memória do contêiner).",
  "database.unavailable": "O banco de dados não responde; é preciso tentar de novo em instantes.",
  "database.value": "Um valor da requisição não pode ser guardado: {reason}",
  "process.died": "O processo {process} terminou de forma inesperada ({reason}).",
  "process.bystander": "O processo {process} terminou enquanto tratava de outra tarefa.",
  "process.timeout": "O processo {process} não respondeu em {seconds} s.",
  "process.timeout.start": "Não foi possível iniciar o processo {process}: {reason}",
  "process.failed": "O processo {process} falhou; o log diz por quê.",
  "recognition.queue_full": "A fila do reconhecimento está cheia.",
  "work.aborted": "O trabalho foi interrompido.",
  internal: "Algo falhou no serviço; o log diz por quê, com o identificador desta requisição.",
  "internal.hidden": "O serviço falhou nisto; seu log diz por quê.",
  "service.not_ready": "O serviço não pode aceitar requisições: {reason}",
  "file.in_use": "Uma gravação em andamento precisa deste arquivo. É preciso esperar o fim dela ou excluí-la.",
  "file.unknown": "Este arquivo enviado não existe mais; é preciso enviá-lo de novo.",
  "file.too_large": "O arquivo passa dos {megabytes} MB permitidos.",
  "media.not_decodable": "O arquivo não pode ser lido como áudio ou vídeo: {reason}",
  "media.encrypted":
    "O áudio do arquivo está criptografado ({scheme}). É preciso usar uma gravação sem proteção ou descriptografar o arquivo antes.",
  "media.empty": "O arquivo está vazio.",
  "media.no_audio_track": "O arquivo não tem faixa de áudio.",
  "media.no_such_track": "O arquivo não tem a faixa de áudio {requested}. Faixas: {tracks}",
  "media.empty_range": "A parte escolhida não contém som: começa em {start} s e a gravação termina em {end} s.",
  "media.empty_range.part": "A parte da gravação de {start} a {end} s não contém som.",
  "media.no_audio": "A faixa de áudio do arquivo não contém som.",
  "media.too_long": "O áudio passa dos {minutes} minutos permitidos.",
  "media.time_limit": "A leitura foi interrompida após {spent} s: só {decoded} s de áudio tinham sido lidos.",
  "decode.queue_full": "Há arquivos enviados demais à espera de leitura; é preciso tentar de novo em instantes.",
  "fetch.address_not_allowed": "O endereço não é permitido: {reason}",
  "fetch.unauthorized":
    "O endereço exige identificação (401). É preciso conferir usuário e senha no endereço, usar um endereço assinado ou enviar o arquivo.",
  "fetch.forbidden":
    "Não é permitido ler o endereço (403). O arquivo é privado ou o endereço expirou; é preciso assiná-lo de novo ou enviar o arquivo.",
  "fetch.not_found": "Não há nada neste endereço (404). É preciso conferi-lo.",
  "fetch.gone": "O arquivo deste endereço foi removido definitivamente (410).",
  "fetch.rate_limited": "O host do endereço recusa por enquanto mais requisições (429).",
  "fetch.rate_limited.pause":
    "O host do endereço recusa por enquanto mais requisições (429) e pede uma pausa de {seconds} s.",
  "fetch.failed": "Não foi possível ler o endereço: {reason}",
  "fetch.given_up": "{problem} (não há mais tentativas)",
  "fetch.given_up.pause": "{problem} (sem mais tentativas: a pausa pedida de {seconds} s é longa demais)",
  "fetch.queue_full": "Há endereços demais desta conta à espera; é preciso tentar de novo em instantes.",
  "upload.wrong_offset":
    "Upload-Offset é {given}, mas há {stored} bytes guardados. É preciso pedir a posição com HEAD e continuar dali.",
  "upload.taken_over": "Uma requisição mais nova continua ou termina este envio.",
  "upload.beyond_length": "Chegaram mais do que os {bytes} bytes anunciados; o resto não foi guardado.",
  "upload.expired": "Este envio expirou: passou tempo demais sem dados. É preciso começar de novo.",
  "upload.checksum_differs":
    "Os dados recebidos têm outra soma de verificação ({algorithm}); não foram guardados. É preciso enviá-los de novo.",
  "limit.uploads":
    "Há {limit} envios desta conta inacabados. É preciso terminar ou excluir alguns; os que não recebem dados expiram.",
  "limit.upload_bytes":
    "Os envios inacabados desta conta podem somar {megabytes} MB. É preciso terminar ou excluir alguns; os que não recebem dados expiram.",
  "limit.upload_parts": "Este envio chegou em {limit} partes, o máximo. É preciso começar de novo com partes maiores.",
  "upload.completing":
    "Todos os dados estão guardados, e o arquivo está sendo verificado; é preciso tentar de novo em instantes.",
  "job.not_finished": "A gravação não está concluída ({status}); só é possível excluir uma concluída ou com falha.",
  "job.no_transcript": "A transcrição só existe quando a gravação está concluída ({status}).",
  "job.no_transcript.expired": "A transcrição não existe mais: passou do prazo de conservação.",
  "job.fills_disk":
    "Esta gravação precisa de mais espaço do que há no disco: 115 MB por hora e canal. É preciso liberar espaço ou enviá-la em partes.",
  "job.poisoned":
    "Esta gravação encerrou três vezes seu processo na etapa “{stage}” e falhou. Na última vez: {reason}. O arquivo pode estar danificado.",
  "job.interrupted": "A gravação foi interrompida várias vezes sem avançar e falhou.",
  "job.not_ended": "O serviço não pôde guardar o fim desta gravação; seu log diz por quê.",
  "job.result_damaged":
    "A transcrição guardada está danificada e não pode ser refeita. A gravação existe: é preciso baixá-la e enviá-la de novo.",
  "job.result_damaged.whole":
    "A transcrição guardada está danificada e não pode ser refeita. A gravação também falta ou está danificada.",
  "job.result_remade":
    "A transcrição guardada estava danificada; a gravação está sendo transcrita de novo. Depois é possível tentar outra vez.",
  "transcripts.queue_full": "Há transcrições demais à espera de serem escritas; é preciso tentar de novo em instantes.",
  "limit.corrections":
    "Esta transcrição chegou ao limite de {most} correções, incluídas as desfeitas, com {characters} caracteres ao todo.",
  "correction.outdated":
    "A transcrição foi corrigida nesse meio-tempo: a mudança era para a versão {expected}, e a atual é a {version}.",
  "limit.tags": "Uma gravação tem no máximo {most} etiquetas; teria {count}. É preciso remover algumas antes.",
  "limit.notes": "Esta transcrição tem {most} notas, o máximo; é preciso excluir uma antes.",
  "limit.shares": "Esta transcrição tem {most} links, o máximo; é preciso revogar um antes.",
  "share.unavailable":
    "Este link não abre nenhuma transcrição: está incompleto, expirou ou foi revogado, ou a transcrição foi excluída. É preciso pedir um novo link.",
  "note.outdated": "A nota mudou nesse meio-tempo: a mudança era para a versão {expected}, e a atual é a {version}.",
  "limit.vocabulary":
    "O vocabulário teria mais de {most} palavras, ou mais de {forms} palavras e pronúncias juntas. É preciso remover algumas antes.",
  "limit.vocabulary_lists": "Esta conta tem {most} listas de palavras, o máximo; é preciso excluir uma antes.",
  "vocabulary_list.name_taken": "Já há uma lista de palavras chamada {name}; é preciso mudá-la ou escolher outro nome.",
  "vocabulary_list.outdated":
    "A lista de palavras mudou nesse meio-tempo: a mudança era para a versão {expected}, e a atual é a {version}.",
  "vocabulary_list.unknown":
    "Esta conta não tem a lista de palavras escolhida: {name}. Talvez tenha sido excluída ou renomeada.",
  "stretches.no_audio": "O áudio desta gravação não existe mais. Sem ele, nenhum trecho é reconhecido de novo.",
  "stretches.redacted":
    "Dados pessoais foram removidos desta transcrição. O áudio não é reconhecido de novo, pois a resposta poderia contê-los.",
  "stretches.busy":
    "Há trechos demais à espera de novo reconhecimento (no máximo {account} por conta, {all} ao todo); é preciso tentar de novo em instantes.",
  "add_ons.running": "Algo já está sendo adicionado a esta transcrição. Depois será possível adicionar mais.",
  "add_ons.no_audio":
    "O áudio desta gravação não existe mais. Sem ele, nenhum falante é encontrado; o resto pode ser adicionado.",
  "add_ons.speakers_corrected":
    "Os falantes desta transcrição foram corrigidos à mão. Só são substituídos se isso for escolhido; desfazer a correção com os novos traz os anteriores de volta.",
  "add_ons.outdated": "A transcrição foi excluída ou refeita nesse meio-tempo. É preciso pedir de novo.",
  "add_ons.failed": "Não foi feito: {names}. {reason}",
  "redaction.unavailable": "{reason}. O texto com os dados pessoais não é entregue.",
  "voices.off":
    "A biblioteca de vozes desta conta está desativada. Impressões de voz são dados biométricos; é preciso ativá-la expressamente (PUT /v2/voices/settings).",
  "voices.no_key":
    "As vozes só são guardadas criptografadas, e este serviço não tem chave para isso. O operador deve definir PARLANCE_SECRETS_KEY.",
  "voices.locked":
    "As vozes desta conta não podem ser abertas. O operador deve definir o PARLANCE_SECRETS_KEY que as selou; se ele se perdeu, é preciso excluí-las (PUT /v2/voices/settings).",
  "voices.stored":
    "A biblioteca tem {count} vozes, que são excluídas ao desativá-la; é preciso confirmar com delete_voices.",
  "voices.name_taken": "Já há uma voz chamada {name}; é preciso adicionar uma amostra a ela ou escolher outro nome.",
  "limit.voices": "Esta conta tem {most} vozes, o máximo; é preciso excluir uma antes.",
  "limit.voice_samples": "Uma voz tem no máximo {most} amostras.",
  "voices.refused": "A gravação não serve como voz de uma pessoa: {reason}",
  "voices.no_model": "As vozes precisam do modelo {model}, que não está instalado e não pôde ser baixado.",
  "voices.no_model.unset": "As vozes precisam de um modelo de falantes, e PARLANCE_SPEAKER_MODEL não nomeia nenhum.",
  "voices.audio_gone": "Esta gravação foi excluída; é preciso enviar uma gravação da pessoa.",
  "limit.live_sessions": "Já há {limit} sessões ao vivo.",
  "limit.live_sessions.account": "Já há {limit} sessões ao vivo desta conta.",
  "limit.live_connections":
    "Já estão sendo abertas {limit} conexões ao vivo desta conta; é preciso tentar de novo em instantes.",
  "service.overloaded":
    "Não há capacidade para outra sessão ao vivo: no momento são possíveis no máximo {most}. É preciso tentar mais tarde.",
  "live.log_lost": "Este processo não gerencia mais a sessão ao vivo.",
  "live.unused": "Ninguém se conectou à sessão antes de seu token expirar.",
  "live.audio_unreadable": "Não é possível ler o áudio da sessão ao vivo: {reason}",
  "live.source_refused": "A fonte não pode ser lida: {reason}",
  "live.source_failed": "Não foi possível ler a fonte: {reason}",
  "live.source_absent": "A fonte não foi encontrada: {reason}",
  "live.source_decoder_lost": "Não foi possível ler a fonte: seu áudio parou ou travou o decodificador.",
  "limit.viewers":
    "{limit} pessoas já acompanham esta sessão neste processo; é possível tentar de novo quando alguma sair.",
  "live.without_viewers":
    "As legendas desta sessão não são guardadas para espectadores; é preciso criá-la com captions: true.",
  "live.failed": "O serviço falhou nesta sessão; seu log diz por quê.",
  "recognition.language_unavailable":
    "Nenhum modelo instalado reconhece {languages}; eles reconhecem {installed}. {remedy}",
  "recognition.language_unavailable.model":
    "O modelo {model} não conhece {languages}, só {known}. É preciso deixar o modelo sem indicação ou escolher um que aceite esse idioma ({command} models list).",
  "recognition.not_english":
    "A fala não está em inglês, e nenhum modelo instalado reconhece outros idiomas. É preciso adicionar um: {command}. Se for inglês, é preciso escolher inglês como idioma.",
  "recognition.not_english.fetch":
    "A fala não está em inglês, e nenhum modelo instalado reconhece outros idiomas. O modelo {model} não pôde ser baixado; o log diz por quê. {remedy}",
  "recognition.language_undetected":
    "O idioma não pode ser detectado: os modelos instalados só reconhecem inglês. É preciso adicionar um que detecte idiomas: {command}",
  "recognition.no_speech": "O idioma não pode ser detectado: não há fala no início da gravação.",
  "models.missing": "O modelo {model} não está instalado. {remedy}",
  "models.on_its_way":
    "O modelo {model}, necessário para este idioma, está sendo baixado ({progress}); depois é possível tentar de novo.",
  "models.unknown": "Não há modelo “{model}”. {hint}",
  "models.fetch_failed": "Não foi possível baixar {address}: {reason}. O que chegou fica guardado. {remedy}",
  "models.refused":
    "{address} respondeu {status}: é preciso um token com permissão de leitura (PARLANCE_MODELS_TOKEN).",
  "models.refused.missing": "{address} respondeu {status}: este arquivo não existe. O nome está certo?",
  "models.wrong_hash": "{file} difere do arquivo de origem (SHA-256) e foi excluído. É preciso tentar de novo.",
  "models.no_space":
    "O modelo precisa de {needed} MB, e o disco dos modelos tem {free} MB livres. É preciso liberar espaço ou pôr PARLANCE_MODELS_DIR em outro disco.",
  "models.damaged": "O modelo {model} está danificado: {problems}. É preciso executar: {command}",
  "models.built_in": "O modelo {model} faz parte do programa e não pode ser removido.",
  "language_model.configured":
    "O modelo de linguagem é definido por PARLANCE_LLM_URL; para usar outro é preciso mudar esse ajuste.",
  "language_model.one_process":
    "Só este processo usaria o modelo de linguagem, pois PARLANCE_ROLES divide o serviço. É preciso definir PARLANCE_LLM_URL e PARLANCE_LLM_MODEL para cada um.",
  "language_model.memory":
    "O modelo de linguagem {model} precisa de {needed} MB de memória, e {free} MB estão livres. É preciso pôr em PARLANCE_LANGUAGE_MODEL um menor ({command}) ou dar mais memória ao serviço.",
  "language_model.unavailable":
    "Modelos de linguagem precisam do pacote {package}, que falta ou não funciona aqui. É preciso executar npm ci sem --omit=optional ou definir um servidor em PARLANCE_LLM_URL.",
  "language_model.damaged":
    "O modelo de linguagem {model} não pode ser carregado: {reason}. É preciso verificá-lo: {command}",
  "language_model.removed":
    "O modelo de linguagem foi removido ou não pode ser lido. É preciso adicioná-lo de novo: {command}",
  "language_model.too_long":
    "A pergunta precisa de {needed} tokens com a resposta, e o modelo de linguagem tem espaço para {room}. É preciso encurtá-la ou usar um modelo com mais contexto.",
  "language_model.failed": "O modelo de linguagem falhou ao escrever a resposta.",
  "questions.unavailable": "Indisponível: {reason}",
  "questions.failed": "Sem resposta: {reason}",
  "questions.busy":
    "Há perguntas demais à espera de resposta (no máximo {account} por conta, {all} ao todo); é preciso tentar mais tarde.",
  "language_model.not_installed":
    "A resposta precisa do modelo de linguagem {model}, que não está instalado. O download tem {size} MB.",
  "language_model.not_installed.unsized":
    "A resposta precisa do modelo de linguagem {model}, que não está instalado. É preciso baixá-lo.",
  "language_model.on_its_way":
    "O modelo de linguagem {model} está sendo baixado ({progress}); depois é possível perguntar de novo.",
  "language_model.busy":
    "Há requisições demais à espera do modelo de linguagem (no máximo {account} por conta, {all} ao todo); é preciso tentar mais tarde.",
  "media.damaged": "seu áudio está danificado ou tem codificação desconhecida",
  "media.damaged_packets": "{damaged} dos {count} pacotes de seu áudio estão danificados ou criptografados",
  "media.document": "é {document}, não uma gravação",
  "media.unknown_format": "seu formato é desconhecido, ou está danificado ou cortado",
  "media.unknown_format.encrypted":
    "seu formato é desconhecido; seus bytes parecem criptografados, como os de um segmento HLS protegido",
  "media.no_index": "falta seu índice (a caixa “moov”): o gravador não terminou o arquivo, ou ele está cortado",
  "media.decoder_ended": "parou duas vezes o decodificador",
  "fetch.reason.unreachable": "não foi possível alcançar seu host",
  "fetch.reason.slow": "seu host foi lento demais",
  "fetch.reason.cut": "seu host interrompeu a resposta",
  "fetch.reason.no_address": "o nome de seu host não existe",
  "fetch.reason.answered": "seu host respondeu {status}",
  "fetch.reason.private":
    "seu host está em uma rede privada; o operador pode permiti-las com PARLANCE_ALLOW_PRIVATE_ADDRESSES=true",
  "voices.reason.no_person": "esta parte da transcrição não tem fala de uma só pessoa",
  "voices.reason.no_speech": "não há fala; é preciso gravar 10 s da pessoa sozinha",
  "voices.reason.noise": "tem música ou ruído e quase nenhuma fala; é preciso gravar 10 s da pessoa sozinha",
  "voices.reason.two_voices": "tem mais de uma voz ({own} s e {other} s); é preciso gravar uma pessoa sozinha",
  "voices.reason.short":
    "tem {seconds} s de fala de uma pessoa; são necessários ao menos {least} s, de preferência 10 s",
  "voices.reason.unclear": "não soa como uma só voz clara; é preciso gravar a pessoa sozinha, sem música nem ruído",
  "models.hint.known": "Nomes conhecidos: {names}",
  "models.hint.similar": "Parecidos: {names}. {rest}",
  "models.hint.list":
    "{command} models list mostra os que podem ser adicionados pelo nome; outros: hf:OWNER/NAME, hf:OWNER/NAME:FILE.gguf, uma pasta ou um arquivo GGUF",
  "models.remedy.add": "Para adicioná-lo: {command}",
  "models.remedy.language": "É preciso adicionar um modelo que o reconheça: {command}",
  "models.remedy.not_fetched": "Não foi possível baixá-lo; o log diz por quê. {remedy}",
  "models.remedy.hub":
    "Atrás de um proxy, é preciso definir HTTPS_PROXY; para um espelho, PARLANCE_MODELS_URL; sem rede, copiar o modelo para cá e executar {command}",
  "models.optional.missing": "o modelo {model} não está instalado; o operador pode adicioná-lo: {command}",
  "models.optional.not_fetched":
    "o modelo {model} não está instalado e não foi possível baixá-lo ({reason}); o operador pode adicioná-lo: {command}",
  "models.optional.none": "{variable} está vazio; o operador pode indicar ali um modelo",
  "models.optional.other": "{variable} indica {model}, que não é um modelo adequado",
  "models.optional.failed": "o modelo {model} falhou; o log do serviço diz por quê",
  "models.optional.unread": "não foi possível ler os modelos instalados",
  "service.reason.stopping": "está prestes a parar",
  "service.reason.no_recogniser": "nenhum processo de reconhecimento está em execução",
  "service.reason.database": "o banco de dados não responde",
  "addon.needs_model":
    "{name} precisa de um modelo de linguagem, e nenhum está instalado. É preciso adicionar um: {command}; ou definir em PARLANCE_LLM_URL (e PARLANCE_LLM_MODEL) um servidor compatível com OpenAI",
  "addon.needs_model.off":
    "{name} precisa de um modelo de linguagem, e PARLANCE_LANGUAGE_MODEL é none. É preciso pôr {model} ou definir em PARLANCE_LLM_URL (e PARLANCE_LLM_MODEL) um servidor compatível com OpenAI",
  "addon.needs_model.missing":
    "{name} precisa de um modelo de linguagem, e {model} (PARLANCE_LANGUAGE_MODEL) não está instalado. É preciso adicioná-lo: {command}; ou definir em PARLANCE_LLM_URL (e PARLANCE_LLM_MODEL) um servidor compatível com OpenAI",
  "addon.language": "{name} só aceita aqui {languages}, e o idioma falado é {spoken}",
  "addon.language.model":
    "{name} só aceita aqui {languages}, e o idioma falado é {spoken}; um modelo de linguagem aceita outros idiomas: é preciso definir PARLANCE_LLM_URL ou adicionar um ({command})",
  "addon.late": "{name} não terminou em {seconds} s",
  "addon.late.process": "{name} não terminou; a transcrição está completa sem isso",
  "addon.late.all": "Os complementos não terminaram a tempo; a transcrição está completa",
  "addon.slow": "{name} é lento demais para esta sessão",
  "addon.too_long": "A transcrição é longa demais para o modelo de linguagem",
  "addon.budget": "Seriam necessários mais do que os {tokens} tokens permitidos por PARLANCE_LLM_MAX_TOKENS",
  "addon.no_text": "O modelo de linguagem respondeu sem texto",
  "addon.wrong_form": "O modelo de linguagem não respondeu na forma pedida",
  "addon.unusable": "A resposta do modelo de linguagem não pôde ser usada",
  "addon.model_stopped": "O modelo de linguagem parou de responder e foi encerrado",
  "addon.model_ended": "O processo do modelo de linguagem terminou enquanto respondia; o log diz por quê",
  "addon.prompt":
    "A instrução tem {tokens} tokens, e o modelo de linguagem tem espaço para {room} com transcrição e resposta. É preciso encurtá-la ou usar um modelo com mais contexto.",
  "addon.server": "{server} falhou: {reason}",
  "addon.no_chapter": "O modelo de linguagem não nomeou nenhum capítulo",
  "diarization.failed": "Não foi possível distinguir os falantes; a transcrição está completa sem eles",
  "translation.left_out": "O modelo de linguagem omitiu parte da tradução",
  "translation.late": "A tradução não terminou a tempo ({models})",
  "translation.failed": "O processo de tradução falhou. É preciso verificar seu modelo: {command} (em uso: {models})",
  "translation.no_model":
    "Não há modelo de tradução instalado para {pair}. É preciso adicioná-lo: {command}; ou definir um servidor em PARLANCE_LLM_URL ou PARLANCE_TRANSLATE_URL",
  "translation.not_published":
    "Não existe modelo de tradução para {pair}; é preciso definir um servidor em PARLANCE_LLM_URL ou PARLANCE_TRANSLATE_URL",
  "questions.needs_model":
    "Uma pergunta sobre uma transcrição precisa de um modelo de linguagem, e nenhum está instalado. É preciso adicionar um: {command}; ou definir em PARLANCE_LLM_URL (e PARLANCE_LLM_MODEL) um servidor compatível com OpenAI",
  "questions.needs_model.off":
    "Uma pergunta sobre uma transcrição precisa de um modelo de linguagem, e PARLANCE_LANGUAGE_MODEL é none. É preciso pôr {model} ou definir em PARLANCE_LLM_URL (e PARLANCE_LLM_MODEL) um servidor compatível com OpenAI",
  "questions.needs_model.missing":
    "Uma pergunta sobre uma transcrição precisa de um modelo de linguagem, e {model} (PARLANCE_LANGUAGE_MODEL) não está instalado. É preciso adicioná-lo: {command}; ou definir em PARLANCE_LLM_URL (e PARLANCE_LLM_MODEL) um servidor compatível com OpenAI",
  "questions.process_ended": "O processo que escreve a resposta terminou; é preciso perguntar de novo",
  "questions.late": "A resposta levou mais de {seconds} s",
  "questions.no_words": "A transcrição não tem palavras; nenhuma pergunta pode ser respondida",
  "field.web_address": "{field} deve ser um endereço web com http ou https",
  "field.web_address.credentials": "{field} deve ser um endereço web sem usuário nem senha",
  "field.web_address.encoding":
    "{field} tem um usuário ou uma senha com um sinal que precisa da codificação por porcentagem: / é %2F, ? é %3F, # é %23, @ é %40 e \\ é %5C",
  "field.web_address.private":
    "{field} deve ser um endereço de rede pública; o operador pode permitir os privados com PARLANCE_ALLOW_PRIVATE_ADDRESSES=true",
  "field.number": "{field} deve ser um número dentro do intervalo permitido",
  "field.integer": "{field} deve ser um número inteiro",
  "field.one_of": "{field} deve ser um destes valores: {values}",
  "field.one_of.given": "{field} deve ser um destes valores: {values}; {given}",
  "field.only": "{field} só pode conter estes valores: {values}",
  "field.only.given": "{field} só pode conter estes valores: {values}; {given}",
  "field.required": "Falta {field}",
  "field.required.when": "{field} é obrigatório se {switch} estiver ativado",
  "field.not_part": "{field} não faz parte desta requisição",
  "field.minimum": "{field} não pode ser menor que {limit}",
  "field.maximum": "{field} não pode ser maior que {limit}",
  "field.order": "{field} não pode ser maior que {other}",
  "field.speakers": "{field} não pode ser maior que {other}: é preciso mudar um dos dois ou omiti-lo",
  "field.few": "{field} deve conter ao menos {limit} elementos",
  "field.many": "{field} pode conter no máximo {limit} elementos",
  "field.empty": "{field} não pode estar vazio",
  "field.long": "{field} pode ter no máximo {limit} caracteres",
  "field.visible": "{field} precisa de uma letra, um algarismo ou um sinal",
  "field.model": "{field} deve ser um destes valores: {values}; é {given}",
  "field.schema": "{field} não pode ser usado: {reason}",
  "field.redaction": "{field} contém {type}, que não é um tipo de dados",
  "field.redaction.rules":
    "{field} contém {type}: não há regras para isso. É preciso listar os tipos ou adicionar um modelo de linguagem",
  "field.cursor": "{field} é de outra lista",
  "field.more": "Há mais problemas que não são listados",
  "vocabulary.pronunciations": "{word} teria {count} pronúncias; são possíveis no máximo {most}",
  "stretch.order": "O fim ({end}) deve vir depois do início ({start})",
  "stretch.long": "O trecho pode durar no máximo {most} s; ele dura {seconds} s",
  "note.order": "O fim ({end}) não pode vir antes do início ({start})",
  "note.no_words": "O canal {channel} não tem palavras entre {start} e {end}",
  "correction.no_words":
    "O parágrafo {index} não tem palavras entre {start} e {end}; suas palavras vão de {first} a {last}",
  "correction.speaker": "{field} deve ser um dos falantes {speakers}; é {given}",
  "language_model.not_found": "Este modelo de linguagem não foi encontrado nesta máquina",
  "warning.truncated": "O arquivo está cortado: contém {held} s dos {declared} s de áudio declarados",
  "warning.damaged_packets": "Pacotes danificados foram ignorados",
  "warning.failed_reads": "O arquivo está danificado em partes que não puderam ser lidas",
  "warning.unreadable_end": "O arquivo está danificado: o que vem depois dos {time} s não pôde ser lido",
  "warning.gaps": "Faltam {time} s de áudio no arquivo, a primeira vez aos {first} s; conta como silêncio",
  "warning.skipped_part": "Uma parte do arquivo não pôde ser lida e foi ignorada, aos {time} s",
  "warning.skipped_parts": "Outras partes foram ignoradas",
  "warning.jumps": "As marcas de tempo saltam mais do que a gravação pode durar; os saltos foram ignorados",
  "warning.steps_back": "As marcas de tempo recuam; os tempos seguintes continuam os do áudio anterior",
  "warning.timestamps": "As marcas de tempo se contradizem; foram ignoradas a partir dos {time} s",
  "warning.unused_bytes": "{bytes} bytes do arquivo a partir do byte {from} não foram usados: {reason}",
  "warning.unused_bytes.format": "seu formato não continua ali",
  "warning.unused_bytes.parts": "mais de {most} gravações",
  "warning.unused_bytes.page": "o arquivo está cortado no meio de uma página Ogg",
  "warning.unused_bytes.box": "não estão em nenhuma caixa MP4 com áudio",
  "warning.unused_bytes.zeros": "são zeros, como em um download interrompido",
  "warning.unlisted": "{unused} dos {held} bytes de dados não foram usados: o índice do arquivo não os menciona",
  "warning.edited_out": "A lista de edição do arquivo omite {left} s dos {whole} s de áudio",
  "warning.fragments_back":
    "Os tempos dos fragmentos do arquivo recuam; os tempos seguintes continuam os do áudio anterior",
  "warning.stale_header":
    "O cabeçalho do arquivo declara {declared} bytes de áudio, mas {read} bytes o seguem; todos foram lidos",
  "warning.misstated": "As amostras são declaradas como {stated}, mas são {likely}; foram lidas assim",
  "warning.misstated.section":
    "As amostras são declaradas como {stated}, mas de {from} s a {end} s são {likely}; foram lidas assim",
  "warning.misstated.doubtful":
    "As amostras são declaradas como {stated}, mas parecem {likely}; foram lidas como declarado",
  "warning.exchanged_channels": "Os canais do arquivo talvez estejam trocados onde suas amostras estão deslocadas",
  "warning.no_samples":
    "As amostras são declaradas como {stated}, mas os bytes parecem {likely}; as palavras provavelmente estão erradas",
  "warning.above_scale": "As amostras do arquivo passam do fundo de escala; foram divididas por {factor}",
  "warning.clipped_scale": "Algumas amostras do arquivo passam do fundo de escala; foram cortadas",
  "warning.low_scale": "As amostras do arquivo são muito fracas; foram multiplicadas por {factor}",
  "warning.not_numbers": "Algumas amostras do arquivo não são números; contam como silêncio",
  "warning.stale_tag":
    "A etiqueta ID3 do arquivo indica {stated} bytes, mas seu áudio começa no byte {begin}; tudo foi lido",
  "warning.truncated.bytes":
    "O arquivo está cortado: seu cabeçalho declara {declared} bytes de áudio, e ele contém {held}",
  "warning.doubled":
    "A gravação tem o mesmo som duas vezes, a segunda {seconds} s depois e quase com o mesmo volume; palavras podem estar duplicadas ou erradas. Provavelmente dois aparelhos ou linhas foram misturados; é preciso gravar só um",
  "warning.leaks_of_many":
    "A gravação tem {channels} canais com fonte própria. A fala que vaza de um para outro é retirada de no máximo {most} canais; ela pode ser transcrita duas vezes",
  "warning.leaks": "Não foi possível retirar a fala que vaza de um canal para outro; ela pode ser transcrita em ambos",
  "warning.slow_speech":
    "A fala é lenta e grave demais, e as palavras provavelmente estão erradas: a taxa de amostragem é provavelmente duas ou três vezes maior que a indicada",
  "warning.fast_speech":
    "A fala é rápida e aguda demais, e as palavras provavelmente estão erradas: a taxa de amostragem é provavelmente duas ou três vezes menor que a indicada",
  "warning.wordless":
    "Nenhuma palavra foi reconhecida em {seconds} s de voz ({places}): pode faltar fala, ou outro som foi tomado por voz",
  "warning.holes":
    "A gravação tem {seconds} s de silêncio digital no meio da fala ({places}): ali o áudio foi perdido, silenciado ou cortado, e podem faltar palavras",
  "warning.wordless_track":
    "Nenhuma palavra foi reconhecida na faixa de áudio {track} de {count}, contadas a partir de 0: para transcrever outra, é preciso indicá-la (audio_track)",
  "warning.foreign": "{seconds} s de fala foram omitidos. {problem}",
  "warning.doubtful":
    "{seconds} s talvez não estejam em inglês: os modelos em inglês têm dúvidas sobre as palavras. É preciso escolher o idioma e adicionar um modelo que o reconheça: {command}. Se for inglês, é preciso escolher inglês",
  "warning.doubtful.some":
    "Uma parte talvez não esteja em inglês: os modelos em inglês têm dúvidas sobre as palavras. É preciso escolher o idioma e adicionar um modelo que o reconheça: {command}. Se for inglês, é preciso escolher inglês",
  "warning.voices_sealed": "Os falantes não têm nome: suas vozes foram seladas com outra chave",
  "warning.vocabulary":
    "Palavras do vocabulário da conta foram omitidas ({count}), pois a gravação tem um grande vocabulário próprio",
  "warning.vocabulary.live":
    "Palavras do vocabulário da conta foram omitidas ({count}), pois a sessão tem um grande vocabulário próprio",
  "warning.no_effect.unknown": "{field} não faz parte desta requisição e foi ignorado",
  "warning.no_effect.similar": "{field} não faz parte desta requisição e foi ignorado; talvez seja {similar}",
  "warning.no_effect.switch": "{field} só tem efeito se {switch} estiver ativado",
  "warning.no_effect.beside": "{field} não tem efeito ao lado de {other}",
  "warning.no_effect": "{field} não tem efeito: {reason}",
  "warning.redaction":
    "Um modelo de linguagem procura {types} e pode deixar passar algo; é preciso conferir o resultado",
  "warning.translation.context": "O contexto não tem efeito com modelos de tradução; tem com um modelo de linguagem",
  "warning.translation.informal":
    "O registro informal não tem efeito com modelos de tradução; tem com um modelo de linguagem",
  "warning.translation.rest": "A fala em {languages} não foi traduzida: {reasons}",
  "live.turns":
    "A detecção de fim de turno não teve efeito; os parágrafos terminavam após o silêncio definido: {reason}",
  "live.speakers.names": "Os falantes não têm nome: {reason}",
  "live.speakers.encoder": "Os falantes foram distinguidos pelo método menos preciso do reconhecedor: {reason}",
  "live.speakers.none": "Os parágrafos não têm falantes: {reason}",
  "live.speakers.whole": "Não foi possível distinguir os falantes de toda a sessão; ficam os dos parágrafos: {reason}",
  "live.speakers.later":
    "Os próximos parágrafos não têm falantes: o modelo falhou; eles são acrescentados ao resultado no fim da sessão",
  "live.speakers.model_failed": "o modelo de falantes falhou",
  "live.speakers.models_unread": "não foi possível ler os modelos",
  "live.format":
    "O áudio provavelmente não está no formato da sessão: é lido como {declared}, e seus bytes parecem {likely}; {advice}",
  "live.end.idle": "passou tempo demais sem dados; a sessão terminou",
  "live.end.deleted": "a sessão foi excluída",
  "live.end.fault": "erro interno",
  "live.end.token": "o token não é válido",
  "live.end.revoked": "a chave que criou esta sessão foi revogada",
  "live.end.expired": "a sessão nunca foi usada e expirou",
  "live.end.over_limit": "esta conta tem sessões ao vivo demais",
  "live.end.ended": "a sessão terminou",
  "live.end.cause": "a sessão terminou: {cause}; o resultado tem {seconds} s de áudio",
  "live.end.cause.client": "parte do áudio não foi guardada",
  "live.end.cause.idle": "passou tempo demais sem dados",
  "live.end.cause.away": "ninguém estava conectado",
  "live.end.cause.length": "a duração máxima foi atingida",
  "live.end.cause.revoked": "a chave foi revogada",
  "live.end.unknown": "O serviço encerrou a sessão ({code})",
};
