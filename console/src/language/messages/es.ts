// Messages of the service in Spanish: src/contract/messages has their English forms. The conventions are those of tables/es.ts.
import type { MessageTexts } from "../../../../src/contract/messages/read-message.ts";

export const messages: MessageTexts = {
  "request.invalid": "Hay parámetros no válidos; validation_errors los nombra.",
  "request.malformed": "No se pudo leer la petición: {reason}",
  "request.not_found": "No se encontró: {what}",
  "request.not_found.job": "No existe esa grabación.",
  "request.not_found.note": "No existe esa nota.",
  "request.not_found.key": "No existe esa clave.",
  "request.not_found.voice": "No existe esa voz.",
  "request.not_found.word": "Esa palabra no está en el vocabulario.",
  "request.not_found.vocabulary_list": "No existe esa lista de palabras.",
  "request.not_found.audio": "No se conserva el audio de esta grabación.",
  "request.not_found.correction": "No hay ninguna corrección que se pueda deshacer.",
  "request.other_page":
    "La petición viene de una página de otro origen. Sin clave en una cabecera, solo pueden enviarlas las páginas de este servicio y las de PARLANCE_CORS_ORIGINS; solo la consola puede iniciar sesión.",
  "request.foreign_host":
    "El host {host} no es de este servicio. PARLANCE_PUBLIC_URL o PARLANCE_ALLOWED_HOSTS debe contener el nombre con el que se accede, o hace falta una clave en una cabecera.",
  "request.too_large": "La petición supera los {megabytes} MB permitidos.",
  "request.too_large.unknown": "La petición es demasiado grande.",
  "request.body_too_slow":
    "Los datos llegan demasiado despacio: hacen falta al menos {bytes} bytes cada {seconds} segundos.",
  "account.key_missing": "No se envió ninguna clave. Va en la cabecera {header} o en authorization: Bearer KEY.",
  "account.key_unknown": "Esta clave es desconocida o está revocada.",
  "account.too_many_guesses":
    "Llegaron demasiadas claves erróneas desde esta dirección o red; hay que esperar {seconds} segundos. Las claves ya reconocidas se siguen aceptando.",
  "account.not_operator":
    "Solo las claves de la cuenta predeterminada pueden leer o cambiar lo que es de todo el servicio.",
  "limit.keys": "Esta cuenta ha llegado al límite de {most} claves; primero hay que revocar una.",
  "limit.queued_jobs": "Ya esperan {limit} grabaciones de esta cuenta.",
  "limit.event_streams": "Este proceso ya tiene {limit} flujos de eventos de esta cuenta; primero hay que cerrar uno.",
  "limit.requests": "Esta cuenta puede enviar {limit} peticiones por segundo.",
  "callbacks.header_locked":
    "El valor de webhook_auth_header_value no se puede abrir, y este webhook no se puede enviar. El operador debe poner el PARLANCE_SECRETS_KEY que lo selló, o indicarlo como PARLANCE_SECRETS_KEY_PREVIOUS.",
  "callbacks.secrets_locked":
    "El secreto de los callbacks de esta cuenta no se puede abrir, y sus callbacks esperan. El operador debe poner el PARLANCE_SECRETS_KEY que lo selló; si se perdió, hay que crear un secreto nuevo.",
  "callback.failed": "No se pudo enviar el callback: {reason}",
  "storage.full":
    "No queda espacio en el disco (df -h, df -i). Hay que eliminar grabaciones, ajustar PARLANCE_AUDIO_RETENTION_DAYS o liberar espacio; el servicio se reanuda automáticamente.",
  "storage.full.free":
    "No queda espacio en el disco del servicio: hay {free} MB libres. Hay que eliminar grabaciones, ajustar PARLANCE_AUDIO_RETENTION_DAYS o liberar espacio; después se aceptan peticiones de nuevo.",
  "storage.full.reserved":
    "No queda espacio en el disco del servicio: hay {free} MB libres y {reserved} MB reservados. Hay que eliminar grabaciones, ajustar PARLANCE_AUDIO_RETENTION_DAYS o liberar espacio; después se aceptan peticiones de nuevo.",
  "storage.unavailable":
    "El almacén de grabaciones y transcripciones no responde; hay que intentarlo de nuevo en un momento.",
  "storage.recording_damaged":
    "La grabación guardada está dañada: tiene {found} de {expected} bytes. Hay que restaurarla de una copia de seguridad o subirla de nuevo.",
  "system.exhausted":
    "La máquina no tiene más descriptores de archivo, memoria o procesos para este servicio; hay que intentarlo de nuevo en un momento. Si ocurre a menudo, hay que subir los límites (ulimit -n, ulimit -u, memoria del contenedor).",
  "database.unavailable": "La base de datos no responde; hay que intentarlo de nuevo en un momento.",
  "database.value": "No se puede guardar un valor de la petición: {reason}",
  "process.died": "El proceso {process} terminó de forma inesperada ({reason}).",
  "process.bystander": "El proceso {process} terminó mientras trabajaba en otra tarea.",
  "process.timeout": "El proceso {process} no respondió en {seconds} s.",
  "process.timeout.start": "No se pudo iniciar el proceso {process}: {reason}",
  "process.failed": "El proceso {process} falló; el registro dice por qué.",
  "recognition.queue_full": "La cola del reconocimiento está llena.",
  "work.aborted": "El trabajo se detuvo.",
  internal: "Algo falló en el servicio; el registro dice por qué, con el identificador de esta petición.",
  "internal.hidden": "El servicio falló; su registro dice por qué.",
  "service.not_ready": "El servicio no puede aceptar peticiones: {reason}",
  "file.in_use": "Una grabación sin terminar necesita este archivo. Hay que esperar a que acabe o eliminarla.",
  "file.unknown": "Ese archivo subido ya no existe; hay que subirlo de nuevo.",
  "file.too_large": "El archivo supera los {megabytes} MB permitidos.",
  "media.not_decodable": "No se puede leer el archivo como audio o vídeo: {reason}",
  "media.encrypted":
    "El audio del archivo está cifrado ({scheme}). Hay que usar una grabación sin protección o descifrar el archivo antes de enviarlo.",
  "media.empty": "El archivo está vacío.",
  "media.no_audio_track": "El archivo no tiene pista de audio.",
  "media.no_such_track": "El archivo no tiene la pista de audio {requested}. Pistas: {tracks}",
  "media.empty_range": "La parte elegida no contiene sonido: empieza en {start} s y la grabación termina en {end} s.",
  "media.empty_range.part": "La parte de la grabación de {start} a {end} s no contiene sonido.",
  "media.no_audio": "La pista de audio del archivo no contiene sonido.",
  "media.too_long": "El audio supera los {minutes} minutos permitidos.",
  "media.time_limit": "La lectura se detuvo tras {spent} s: solo se habían leído {decoded} s de audio.",
  "decode.queue_full": "Demasiados archivos subidos esperan a ser leídos; hay que intentarlo de nuevo en un momento.",
  "fetch.address_not_allowed": "La dirección no está permitida: {reason}",
  "fetch.unauthorized":
    "La dirección pide identificarse (401). Hay que revisar usuario y contraseña en la dirección, usar una firmada o subir el archivo.",
  "fetch.forbidden":
    "No se permite leer la dirección (403). El archivo es privado o la dirección caducó; hay que firmarla de nuevo o subir el archivo.",
  "fetch.not_found": "No hay nada en esa dirección (404). Hay que revisarla.",
  "fetch.gone": "El archivo de esa dirección se retiró definitivamente (410).",
  "fetch.rate_limited": "El host de la dirección rechaza por ahora más peticiones (429).",
  "fetch.rate_limited.pause":
    "El host de la dirección rechaza por ahora más peticiones (429) y pide una pausa de {seconds} s.",
  "fetch.failed": "No se pudo leer la dirección: {reason}",
  "fetch.given_up": "{problem} (no hay más intentos)",
  "fetch.given_up.pause": "{problem} (se abandonó: la pausa pedida de {seconds} s es demasiado larga)",
  "fetch.queue_full": "Demasiadas direcciones de esta cuenta esperan; hay que intentarlo de nuevo en un momento.",
  "upload.wrong_offset":
    "Upload-Offset es {given}, pero hay {stored} bytes guardados. Hay que pedir la posición con HEAD y seguir desde ahí.",
  "upload.taken_over": "Una petición más reciente continúa o termina esta subida.",
  "upload.beyond_length": "Llegaron más de los {bytes} bytes anunciados; el resto no se guarda.",
  "upload.expired": "Esta subida caducó: pasó demasiado tiempo sin datos. Hay que empezar de nuevo.",
  "upload.checksum_differs":
    "Los datos recibidos tienen otra suma de control ({algorithm}); no se guardaron. Hay que enviarlos de nuevo.",
  "limit.uploads":
    "Hay {limit} subidas de esta cuenta sin terminar. Hay que acabar o eliminar algunas; las que no reciben datos caducan.",
  "limit.upload_bytes":
    "Las subidas sin terminar de esta cuenta pueden sumar {megabytes} MB. Hay que acabar o eliminar algunas; las que no reciben datos caducan.",
  "limit.upload_parts":
    "Esta subida llegó en {limit} partes, que es el máximo. Hay que empezar de nuevo con partes mayores.",
  "upload.completing":
    "Todos los datos están guardados y el archivo se está comprobando; hay que intentarlo de nuevo en un momento.",
  "job.not_finished": "La grabación no ha terminado ({status}); solo se puede eliminar una terminada o fallida.",
  "job.no_transcript": "La transcripción solo existe cuando la grabación está terminada ({status}).",
  "job.no_transcript.expired": "La transcripción ya no está: superó el plazo de conservación.",
  "job.fills_disk":
    "Esta grabación necesita más espacio del que queda en el disco: 115 MB por hora y canal. Hay que liberar espacio o enviarla por partes.",
  "job.poisoned":
    "Esta grabación detuvo tres veces su proceso en el paso «{stage}» y falló. La última vez: {reason}. Puede que el archivo esté dañado.",
  "job.interrupted": "La grabación se interrumpió varias veces sin avanzar y falló.",
  "job.not_ended": "El servicio no pudo guardar el final de esta grabación; su registro dice por qué.",
  "job.result_damaged":
    "La transcripción guardada está dañada y no se puede rehacer. La grabación está: hay que descargarla y enviarla de nuevo.",
  "job.result_damaged.whole":
    "La transcripción guardada está dañada y no se puede rehacer. También la grabación falta o está dañada.",
  "job.result_remade":
    "La transcripción guardada estaba dañada; la grabación se transcribe de nuevo. Después se puede volver a intentar.",
  "transcripts.queue_full":
    "Demasiadas transcripciones esperan a ser escritas; hay que intentarlo de nuevo en un momento.",
  "limit.corrections":
    "Esta transcripción llegó al límite de {most} correcciones, incluidas las deshechas, con {characters} caracteres en total.",
  "correction.outdated":
    "La transcripción se corrigió mientras tanto: el cambio era para la versión {expected} y la actual es la {version}.",
  "limit.tags": "Una grabación tiene como máximo {most} etiquetas; tendría {count}. Primero hay que quitar algunas.",
  "limit.notes": "Esta transcripción tiene {most} notas, el máximo; primero hay que eliminar una.",
  "limit.shares": "Esta transcripción tiene {most} enlaces, el máximo; primero hay que revocar uno.",
  "share.unavailable":
    "Este enlace no abre ninguna transcripción: está incompleto, ha caducado o se revocó, o la transcripción se eliminó. Hay que pedir otro enlace.",
  "note.outdated":
    "La nota cambió mientras tanto: el cambio era para la versión {expected} y la actual es la {version}.",
  "limit.vocabulary":
    "El vocabulario tendría más de {most} palabras, o más de {forms} palabras y pronunciaciones juntas. Primero hay que quitar algunas.",
  "limit.vocabulary_lists": "Esta cuenta tiene {most} listas de palabras, el máximo; primero hay que eliminar una.",
  "vocabulary_list.name_taken": "Ya hay una lista de palabras llamada {name}; hay que cambiarla o elegir otro nombre.",
  "vocabulary_list.outdated":
    "La lista de palabras cambió mientras tanto: el cambio era para la versión {expected} y la actual es la {version}.",
  "vocabulary_list.unknown":
    "Esta cuenta no tiene la lista de palabras elegida: {name}. Quizá se eliminó o cambió de nombre.",
  "stretches.no_audio": "El audio de esta grabación ya no está. Sin él no se puede reconocer de nuevo ningún tramo.",
  "stretches.redacted":
    "En esta transcripción se quitaron datos personales. El audio no se reconoce de nuevo, porque la respuesta podría contenerlos.",
  "stretches.busy":
    "Demasiados tramos esperan a ser reconocidos de nuevo (máximo {account} por cuenta, {all} en total); hay que intentarlo de nuevo en un momento.",
  "add_ons.running": "Ya se está añadiendo algo a esta transcripción. Después se podrá añadir más.",
  "add_ons.no_audio":
    "El audio de esta grabación ya no está. Sin él no se encuentran hablantes; lo demás se puede añadir.",
  "add_ons.speakers_corrected":
    "Los hablantes de esta transcripción se corrigieron a mano. Solo se sustituyen si se elige expresamente; al deshacer la corrección con los nuevos vuelven los anteriores.",
  "add_ons.outdated": "La transcripción se eliminó o se rehízo mientras tanto. Hay que pedirlo de nuevo.",
  "add_ons.failed": "No se hizo: {names}. {reason}",
  "redaction.unavailable": "{reason}. El texto con los datos personales no se entrega.",
  "voices.off":
    "La biblioteca de voces de esta cuenta está desactivada. Las huellas de voz son datos biométricos; hay que activarla expresamente (PUT /v2/voices/settings).",
  "voices.no_key":
    "Las voces solo se guardan cifradas, y este servicio no tiene clave para ello. El operador debe definir PARLANCE_SECRETS_KEY.",
  "voices.locked":
    "Las voces de esta cuenta no se pueden abrir. El operador debe poner el PARLANCE_SECRETS_KEY que las selló; si se perdió, hay que eliminarlas (PUT /v2/voices/settings).",
  "voices.stored":
    "La biblioteca tiene {count} voces, que se eliminan al desactivarla; hay que confirmarlo con delete_voices.",
  "voices.name_taken": "Ya hay una voz llamada {name}; hay que añadirle una muestra o elegir otro nombre.",
  "limit.voices": "Esta cuenta tiene {most} voces, el máximo; primero hay que eliminar una.",
  "limit.voice_samples": "Una voz tiene como máximo {most} muestras.",
  "voices.refused": "La grabación no sirve como voz de una persona: {reason}",
  "voices.no_model": "Las voces necesitan el modelo {model}, que no está instalado y no se pudo descargar.",
  "voices.no_model.unset": "Las voces necesitan un modelo de hablantes, y PARLANCE_SPEAKER_MODEL no nombra ninguno.",
  "voices.audio_gone": "Esta grabación se eliminó; hay que enviar en su lugar una grabación de la persona.",
  "limit.live_sessions": "Ya hay {limit} sesiones en directo.",
  "limit.live_sessions.account": "Ya hay {limit} sesiones en directo de esta cuenta.",
  "limit.live_connections":
    "Ya se están abriendo {limit} conexiones en directo de esta cuenta; hay que intentarlo de nuevo en un momento.",
  "service.overloaded":
    "No hay capacidad para otra sesión en directo: ahora son posibles {most} como máximo. Hay que intentarlo más tarde.",
  "live.log_lost": "Este proceso ya no gestiona la sesión en directo.",
  "live.unused": "Nadie se conectó a la sesión antes de que caducara su token.",
  "live.audio_unreadable": "No se puede leer el audio de la sesión en directo: {reason}",
  "live.source_refused": "No se puede leer la fuente: {reason}",
  "live.source_failed": "No se pudo leer la fuente: {reason}",
  "live.source_absent": "No se encontró la fuente: {reason}",
  "live.source_decoder_lost": "No se pudo leer la fuente: su audio detuvo o bloqueó el decodificador.",
  "limit.viewers":
    "{limit} personas siguen ya esta sesión en este proceso; se puede volver a intentar cuando alguna se vaya.",
  "live.without_viewers":
    "Los subtítulos de esta sesión no se guardan para espectadores; hay que crearla con captions: true.",
  "live.failed": "El servicio falló en esta sesión; su registro dice por qué.",
  "recognition.language_unavailable":
    "Ningún modelo instalado reconoce {languages}; los instalados reconocen {installed}. {remedy}",
  "recognition.language_unavailable.model":
    "El modelo {model} no conoce {languages}, solo {known}. Hay que dejar el modelo sin indicar o elegir uno que admita ese idioma ({command} models list).",
  "recognition.not_english":
    "El habla no está en inglés, y ningún modelo instalado reconoce otros idiomas. Hay que añadir uno: {command}. Si está en inglés, hay que elegir el inglés como idioma.",
  "recognition.not_english.fetch":
    "El habla no está en inglés, y ningún modelo instalado reconoce otros idiomas. El modelo {model} no se pudo descargar; el registro dice por qué. {remedy}",
  "recognition.language_undetected":
    "No se puede detectar el idioma: los modelos instalados solo reconocen inglés. Hay que añadir uno que detecte idiomas: {command}",
  "recognition.no_speech": "No se puede detectar el idioma: no hay habla al principio de la grabación.",
  "models.missing": "El modelo {model} no está instalado. {remedy}",
  "models.on_its_way":
    "El modelo {model}, que este idioma necesita, se está descargando ({progress}); después se puede volver a intentar.",
  "models.unknown": "No hay ningún modelo «{model}». {hint}",
  "models.fetch_failed": "No se pudo descargar {address}: {reason}. Lo recibido se conserva. {remedy}",
  "models.refused": "{address} respondió {status}: hace falta un token con permiso de lectura (PARLANCE_MODELS_TOKEN).",
  "models.refused.missing": "{address} respondió {status}: no existe ese archivo. ¿Es correcto el nombre?",
  "models.wrong_hash": "{file} difiere del archivo de origen (SHA-256) y se eliminó. Hay que intentarlo de nuevo.",
  "models.no_space":
    "El modelo necesita {needed} MB, y el disco de los modelos tiene {free} MB libres. Hay que liberar espacio o poner PARLANCE_MODELS_DIR en otro disco.",
  "models.damaged": "El modelo {model} está dañado: {problems}. Hay que ejecutar: {command}",
  "models.built_in": "El modelo {model} forma parte del programa y no se puede quitar.",
  "language_model.configured":
    "El modelo de lenguaje lo fija PARLANCE_LLM_URL; para usar otro hay que cambiar ese ajuste.",
  "language_model.one_process":
    "Solo este proceso usaría el modelo de lenguaje, porque PARLANCE_ROLES divide el servicio. Hay que definir PARLANCE_LLM_URL y PARLANCE_LLM_MODEL para cada uno.",
  "language_model.memory":
    "El modelo de lenguaje {model} necesita {needed} MB de memoria y hay {free} MB libres. Hay que poner en PARLANCE_LANGUAGE_MODEL uno menor ({command}) o dar más memoria al servicio.",
  "language_model.unavailable":
    "Los modelos de lenguaje necesitan el paquete {package}, que falta o no funciona aquí. Hay que ejecutar npm ci sin --omit=optional o poner un servidor en PARLANCE_LLM_URL.",
  "language_model.damaged":
    "No se puede cargar el modelo de lenguaje {model}: {reason}. Hay que comprobarlo: {command}",
  "language_model.removed": "El modelo de lenguaje se quitó o no se puede leer. Hay que añadirlo de nuevo: {command}",
  "language_model.too_long":
    "La pregunta necesita {needed} tokens con su respuesta, y el modelo de lenguaje tiene sitio para {room}. Hay que acortarla o usar un modelo con más contexto.",
  "language_model.failed": "El modelo de lenguaje falló mientras escribía la respuesta.",
  "questions.unavailable": "No disponible: {reason}",
  "questions.failed": "Sin respuesta: {reason}",
  "questions.busy":
    "Demasiadas preguntas esperan respuesta (máximo {account} por cuenta, {all} en total); hay que intentarlo más tarde.",
  "language_model.not_installed":
    "La respuesta necesita el modelo de lenguaje {model}, que no está instalado. La descarga ocupa {size} MB.",
  "language_model.not_installed.unsized":
    "La respuesta necesita el modelo de lenguaje {model}, que no está instalado. Hay que descargarlo.",
  "language_model.on_its_way":
    "El modelo de lenguaje {model} se está descargando ({progress}); después se puede preguntar de nuevo.",
  "language_model.busy":
    "Demasiadas peticiones esperan al modelo de lenguaje (máximo {account} por cuenta, {all} en total); hay que intentarlo más tarde.",
  "media.damaged": "su audio está dañado o tiene una codificación desconocida",
  "media.damaged_packets": "{damaged} de los {count} paquetes de su audio están dañados o cifrados",
  "media.document": "es {document}, no una grabación",
  "media.unknown_format": "su formato es desconocido, o está dañado o cortado",
  "media.unknown_format.encrypted":
    "su formato es desconocido; sus bytes parecen cifrados, como los de un segmento HLS protegido",
  "media.no_index": "falta su índice (la caja «moov»): la grabadora no terminó el archivo o está cortado",
  "media.decoder_ended": "detuvo dos veces el decodificador",
  "fetch.reason.unreachable": "no se pudo contactar con su host",
  "fetch.reason.slow": "su host fue demasiado lento",
  "fetch.reason.cut": "su host cortó la respuesta",
  "fetch.reason.no_address": "el nombre de su host no existe",
  "fetch.reason.answered": "su host respondió {status}",
  "fetch.reason.private":
    "su host está en una red privada; el operador puede permitirlas con PARLANCE_ALLOW_PRIVATE_ADDRESSES=true",
  "voices.reason.no_person": "esta parte de la transcripción no tiene habla de una sola persona",
  "voices.reason.no_speech": "no hay habla; hay que grabar 10 s de la persona sola",
  "voices.reason.noise": "tiene música o ruido y apenas habla; hay que grabar 10 s de la persona sola",
  "voices.reason.two_voices": "tiene más de una voz ({own} s y {other} s); hay que grabar a una persona sola",
  "voices.reason.short": "tiene {seconds} s de habla de una persona; hacen falta al menos {least} s, mejor 10 s",
  "voices.reason.unclear": "no suena como una sola voz clara; hay que grabar a la persona sola, sin música ni ruido",
  "models.hint.known": "Nombres conocidos: {names}",
  "models.hint.similar": "Parecidos: {names}. {rest}",
  "models.hint.list":
    "{command} models list muestra los que se añaden por su nombre; otros: hf:OWNER/NAME, hf:OWNER/NAME:FILE.gguf, una carpeta o un archivo GGUF",
  "models.remedy.add": "Se añade con: {command}",
  "models.remedy.language": "Hay que añadir un modelo que lo reconozca: {command}",
  "models.remedy.not_fetched": "No se pudo descargar; el registro dice por qué. {remedy}",
  "models.remedy.hub":
    "Tras un proxy, hay que definir HTTPS_PROXY; para una réplica, PARLANCE_MODELS_URL; sin red, copiar aquí el modelo y ejecutar {command}",
  "models.optional.missing": "el modelo {model} no está instalado; el operador puede añadirlo: {command}",
  "models.optional.not_fetched":
    "el modelo {model} no está instalado y no se pudo descargar ({reason}); el operador puede añadirlo: {command}",
  "models.optional.none": "{variable} está vacío; el operador puede indicar ahí un modelo",
  "models.optional.other": "{variable} indica {model}, que no es un modelo adecuado",
  "models.optional.failed": "el modelo {model} falló; el registro del servicio dice por qué",
  "models.optional.unread": "no se pudieron leer los modelos instalados",
  "service.reason.stopping": "está a punto de detenerse",
  "service.reason.no_recogniser": "no hay ningún proceso de reconocimiento",
  "service.reason.database": "la base de datos no responde",
  "addon.needs_model":
    "{name} necesita un modelo de lenguaje y no hay ninguno instalado. Hay que añadir uno: {command}; o poner en PARLANCE_LLM_URL (y PARLANCE_LLM_MODEL) un servidor compatible con OpenAI",
  "addon.needs_model.off":
    "{name} necesita un modelo de lenguaje y PARLANCE_LANGUAGE_MODEL es none. Hay que poner {model} o, en PARLANCE_LLM_URL (y PARLANCE_LLM_MODEL), un servidor compatible con OpenAI",
  "addon.needs_model.missing":
    "{name} necesita un modelo de lenguaje y {model} (PARLANCE_LANGUAGE_MODEL) no está instalado. Hay que añadirlo: {command}; o poner en PARLANCE_LLM_URL (y PARLANCE_LLM_MODEL) un servidor compatible con OpenAI",
  "addon.language": "{name} solo admite aquí {languages}, y se habla {spoken}",
  "addon.language.model":
    "{name} solo admite aquí {languages}, y se habla {spoken}; un modelo de lenguaje admite otros idiomas: hay que definir PARLANCE_LLM_URL o añadir uno ({command})",
  "addon.late": "{name} no terminó en {seconds} s",
  "addon.late.process": "{name} no terminó; la transcripción está completa sin ello",
  "addon.late.all": "Los complementos no terminaron a tiempo; la transcripción está completa",
  "addon.slow": "{name} es demasiado lento para esta sesión",
  "addon.too_long": "La transcripción es demasiado larga para el modelo de lenguaje",
  "addon.budget": "Harían falta más de los {tokens} tokens que permite PARLANCE_LLM_MAX_TOKENS",
  "addon.no_text": "El modelo de lenguaje respondió sin texto",
  "addon.wrong_form": "El modelo de lenguaje no respondió en la forma pedida",
  "addon.unusable": "La respuesta del modelo de lenguaje no se pudo usar",
  "addon.model_stopped": "El modelo de lenguaje dejó de responder y se detuvo",
  "addon.model_ended": "El proceso del modelo de lenguaje terminó mientras respondía; el registro dice por qué",
  "addon.prompt":
    "La instrucción tiene {tokens} tokens, y el modelo de lenguaje tiene sitio para {room} con transcripción y respuesta. Hay que acortarla o usar un modelo con más contexto.",
  "addon.server": "{server} falló: {reason}",
  "addon.no_chapter": "El modelo de lenguaje no nombró ningún capítulo",
  "diarization.failed": "No se pudo distinguir a los hablantes; la transcripción está completa sin ellos",
  "translation.left_out": "El modelo de lenguaje omitió parte de la traducción",
  "translation.late": "La traducción no terminó a tiempo ({models})",
  "translation.failed": "El proceso de traducción falló. Hay que comprobar su modelo: {command} (en uso: {models})",
  "translation.no_model":
    "No hay modelo de traducción instalado para {pair}. Hay que añadirlo: {command}; o poner un servidor en PARLANCE_LLM_URL o PARLANCE_TRANSLATE_URL",
  "translation.not_published":
    "No existe modelo de traducción para {pair}; hay que poner un servidor en PARLANCE_LLM_URL o PARLANCE_TRANSLATE_URL",
  "questions.needs_model":
    "Una pregunta sobre una transcripción necesita un modelo de lenguaje y no hay ninguno instalado. Hay que añadir uno: {command}; o poner en PARLANCE_LLM_URL (y PARLANCE_LLM_MODEL) un servidor compatible con OpenAI",
  "questions.needs_model.off":
    "Una pregunta sobre una transcripción necesita un modelo de lenguaje y PARLANCE_LANGUAGE_MODEL es none. Hay que poner {model} o, en PARLANCE_LLM_URL (y PARLANCE_LLM_MODEL), un servidor compatible con OpenAI",
  "questions.needs_model.missing":
    "Una pregunta sobre una transcripción necesita un modelo de lenguaje y {model} (PARLANCE_LANGUAGE_MODEL) no está instalado. Hay que añadirlo: {command}; o poner en PARLANCE_LLM_URL (y PARLANCE_LLM_MODEL) un servidor compatible con OpenAI",
  "questions.process_ended": "El proceso que escribe la respuesta terminó; hay que preguntar de nuevo",
  "questions.late": "La respuesta tardó más de {seconds} s",
  "questions.no_words": "La transcripción no tiene palabras; no se puede responder a ninguna pregunta",
  "field.web_address": "{field} debe ser una dirección web con http o https",
  "field.web_address.credentials": "{field} debe ser una dirección web sin usuario ni contraseña",
  "field.web_address.encoding":
    "{field} tiene un usuario o una contraseña con un signo que debe ir con codificación por porcentaje: / es %2F, ? es %3F, # es %23, @ es %40 y \\ es %5C",
  "field.web_address.private":
    "{field} debe ser una dirección de una red pública; el operador puede permitir las privadas con PARLANCE_ALLOW_PRIVATE_ADDRESSES=true",
  "field.number": "{field} debe ser un número dentro del intervalo permitido",
  "field.integer": "{field} debe ser un número entero",
  "field.one_of": "{field} debe ser uno de estos valores: {values}",
  "field.one_of.given": "{field} debe ser uno de estos valores: {values}; {given}",
  "field.only": "{field} solo puede contener estos valores: {values}",
  "field.only.given": "{field} solo puede contener estos valores: {values}; {given}",
  "field.required": "Falta {field}",
  "field.required.when": "{field} es obligatorio si {switch} está activado",
  "field.not_part": "{field} no forma parte de esta petición",
  "field.minimum": "{field} no puede ser menor que {limit}",
  "field.maximum": "{field} no puede ser mayor que {limit}",
  "field.order": "{field} no puede ser mayor que {other}",
  "field.speakers": "{field} no puede ser mayor que {other}: hay que cambiar uno de los dos u omitirlo",
  "field.few": "{field} debe contener al menos {limit} elementos",
  "field.many": "{field} puede contener {limit} elementos como máximo",
  "field.empty": "{field} no puede estar vacío",
  "field.long": "{field} puede tener {limit} caracteres como máximo",
  "field.visible": "{field} necesita una letra, una cifra o un signo",
  "field.model": "{field} debe ser uno de estos valores: {values}; es {given}",
  "field.schema": "{field} no se puede usar: {reason}",
  "field.redaction": "{field} contiene {type}, que no es un tipo de datos",
  "field.redaction.rules":
    "{field} contiene {type}: no hay reglas para ello. Hay que enumerar los tipos o añadir un modelo de lenguaje",
  "field.cursor": "{field} es de otra lista",
  "field.more": "Hay más problemas que no se enumeran",
  "vocabulary.pronunciations": "{word} tendría {count} pronunciaciones; son posibles {most} como máximo",
  "stretch.order": "El final ({end}) debe ser posterior al comienzo ({start})",
  "stretch.long": "El tramo puede durar {most} s como máximo; dura {seconds} s",
  "note.order": "El final ({end}) no puede ser anterior al comienzo ({start})",
  "note.no_words": "El canal {channel} no tiene palabras entre {start} y {end}",
  "correction.no_words":
    "El párrafo {index} no tiene palabras entre {start} y {end}; sus palabras van de {first} a {last}",
  "correction.speaker": "{field} debe ser uno de los hablantes {speakers}; es {given}",
  "language_model.not_found": "No se encontró ese modelo de lenguaje en esta máquina",
  "warning.truncated": "El archivo está cortado: contiene {held} s de los {declared} s de audio declarados",
  "warning.damaged_packets": "Se omitieron paquetes dañados",
  "warning.failed_reads": "El archivo está dañado en partes que no se pudieron leer",
  "warning.unreadable_end": "El archivo está dañado: no se pudo leer lo que hay después de los {time} s",
  "warning.gaps": "Al archivo le faltan {time} s de audio, la primera vez a los {first} s; cuenta como silencio",
  "warning.skipped_part": "Una parte del archivo no se pudo leer y se omitió, a los {time} s",
  "warning.skipped_parts": "Se omitieron más partes",
  "warning.jumps": "Las marcas de tiempo saltan más de lo que puede durar la grabación; los saltos se ignoraron",
  "warning.steps_back": "Las marcas de tiempo retroceden; los tiempos siguientes continúan los del audio anterior",
  "warning.timestamps": "Las marcas de tiempo se contradicen; se ignoraron a partir de los {time} s",
  "warning.unused_bytes": "No se usaron {bytes} bytes del archivo desde el byte {from}: {reason}",
  "warning.unused_bytes.format": "su formato no continúa ahí",
  "warning.unused_bytes.parts": "más de {most} grabaciones",
  "warning.unused_bytes.page": "el archivo está cortado en medio de una página de Ogg",
  "warning.unused_bytes.box": "no están en ninguna caja de MP4 con audio",
  "warning.unused_bytes.zeros": "son ceros, como en una descarga interrumpida",
  "warning.unlisted": "No se usaron {unused} de los {held} bytes de datos: el índice del archivo no los menciona",
  "warning.edited_out": "La lista de edición del archivo omite {left} s de los {whole} s de audio",
  "warning.fragments_back":
    "Los tiempos de los fragmentos del archivo retroceden; los tiempos siguientes continúan los del audio anterior",
  "warning.stale_header":
    "La cabecera del archivo declara {declared} bytes de audio, pero siguen {read} bytes; se leyeron todos",
  "warning.misstated": "Las muestras se declaran como {stated}, pero son {likely}; se leyeron así",
  "warning.misstated.section":
    "Las muestras se declaran como {stated}, pero de {from} s a {end} s son {likely}; se leyeron así",
  "warning.misstated.doubtful":
    "Las muestras se declaran como {stated}, pero parecen {likely}; se leyeron según lo declarado",
  "warning.exchanged_channels":
    "Los canales del archivo quizá estén intercambiados donde sus muestras están desplazadas",
  "warning.no_samples":
    "Las muestras se declaran como {stated}, pero los bytes parecen {likely}; las palabras seguramente son erróneas",
  "warning.above_scale": "Las muestras del archivo superan el fondo de escala; se dividieron entre {factor}",
  "warning.clipped_scale": "Algunas muestras del archivo superan el fondo de escala; se recortaron",
  "warning.low_scale": "Las muestras del archivo son muy débiles; se multiplicaron por {factor}",
  "warning.not_numbers": "Algunas muestras del archivo no son números; cuentan como silencio",
  "warning.stale_tag":
    "La etiqueta ID3 del archivo indica {stated} bytes, pero su audio empieza en el byte {begin}; se ha leído todo",
  "warning.truncated.bytes": "El archivo está cortado: su cabecera declara {declared} bytes de audio y contiene {held}",
  "warning.doubled":
    "La grabación tiene el mismo sonido dos veces, la segunda {seconds} s después y casi igual de fuerte; puede haber palabras duplicadas o erróneas. Seguramente se mezclaron dos aparatos o líneas; hay que grabar solo uno",
  "warning.leaks_of_many":
    "La grabación tiene {channels} canales con fuente propia. El habla que pasa de uno a otro se quita de {most} canales como máximo; puede transcribirse dos veces",
  "warning.leaks": "No se pudo quitar el habla que pasa de un canal a otro; puede transcribirse en ambos",
  "warning.slow_speech":
    "El habla es demasiado lenta y grave, y sus palabras seguramente son erróneas: la frecuencia de muestreo es seguramente dos o tres veces mayor que la indicada",
  "warning.fast_speech":
    "El habla es demasiado rápida y aguda, y sus palabras seguramente son erróneas: la frecuencia de muestreo es seguramente dos o tres veces menor que la indicada",
  "warning.wordless":
    "No se reconocieron palabras en {seconds} s de voz ({places}): puede que falte habla o que otro sonido se tomara por voz",
  "warning.holes":
    "La grabación tiene {seconds} s de silencio digital en medio del habla ({places}): allí el audio se perdió, se silenció o se cortó, y pueden faltar palabras",
  "warning.wordless_track":
    "No se reconocieron palabras en la pista de audio {track} de {count}, contadas desde 0: para transcribir otra, hay que indicarla (audio_track)",
  "warning.foreign": "Se omitieron {seconds} s de habla. {problem}",
  "warning.doubtful":
    "{seconds} s quizá no estén en inglés: los modelos de inglés dudan de las palabras. Hay que elegir el idioma y añadir un modelo que lo reconozca: {command}. Si es inglés, hay que elegir inglés",
  "warning.doubtful.some":
    "Una parte quizá no esté en inglés: los modelos de inglés dudan de las palabras. Hay que elegir el idioma y añadir un modelo que lo reconozca: {command}. Si es inglés, hay que elegir inglés",
  "warning.voices_sealed": "Los hablantes no tienen nombre: sus voces se sellaron con otra clave",
  "warning.vocabulary":
    "Se omitieron palabras del vocabulario de la cuenta ({count}), porque la grabación tiene un vocabulario propio grande",
  "warning.vocabulary.live":
    "Se omitieron palabras del vocabulario de la cuenta ({count}), porque la sesión tiene un vocabulario propio grande",
  "warning.no_effect.unknown": "{field} no forma parte de esta petición y se ignoró",
  "warning.no_effect.similar": "{field} no forma parte de esta petición y se ignoró; quizá sea {similar}",
  "warning.no_effect.switch": "{field} solo tiene efecto si {switch} está activado",
  "warning.no_effect.beside": "{field} no tiene efecto junto a {other}",
  "warning.no_effect": "{field} no tiene efecto: {reason}",
  "warning.redaction": "Un modelo de lenguaje busca {types} y puede pasar algo por alto; hay que revisar el resultado",
  "warning.translation.context": "El contexto no tiene efecto con modelos de traducción; sí con un modelo de lenguaje",
  "warning.translation.informal":
    "El registro informal no tiene efecto con modelos de traducción; sí con un modelo de lenguaje",
  "warning.translation.rest": "No se tradujo el habla en {languages}: {reasons}",
  "live.turns":
    "La detección de fin de turno no tuvo efecto; los párrafos acababan tras el silencio configurado: {reason}",
  "live.speakers.names": "Los hablantes no tienen nombre: {reason}",
  "live.speakers.encoder": "Se distinguió a los hablantes con el método menos preciso del reconocedor: {reason}",
  "live.speakers.none": "Los párrafos no tienen hablantes: {reason}",
  "live.speakers.whole":
    "No se pudo distinguir a los hablantes de toda la sesión; quedan los de los párrafos: {reason}",
  "live.speakers.later":
    "Los párrafos siguientes no tienen hablantes: el modelo falló; se añaden al resultado al final de la sesión",
  "live.speakers.model_failed": "el modelo de hablantes falló",
  "live.speakers.models_unread": "no se pudieron leer los modelos",
  "live.format":
    "El audio seguramente no tiene el formato de la sesión: se lee como {declared} y sus bytes parecen {likely}; {advice}",
  "live.end.idle": "pasó demasiado tiempo sin datos; la sesión ha terminado",
  "live.end.deleted": "la sesión se eliminó",
  "live.end.fault": "error interno",
  "live.end.token": "el token no es válido",
  "live.end.revoked": "la clave que creó esta sesión se revocó",
  "live.end.expired": "la sesión nunca se usó y caducó",
  "live.end.over_limit": "esta cuenta tiene demasiadas sesiones en directo",
  "live.end.ended": "la sesión ha terminado",
  "live.end.cause": "la sesión ha terminado: {cause}; el resultado tiene {seconds} s de audio",
  "live.end.cause.client": "no se guardó una parte del audio",
  "live.end.cause.idle": "pasó demasiado tiempo sin datos",
  "live.end.cause.away": "no había nadie conectado",
  "live.end.cause.length": "se alcanzó la duración máxima",
  "live.end.cause.revoked": "la clave se revocó",
  "live.end.unknown": "El servicio terminó la sesión ({code})",
};
