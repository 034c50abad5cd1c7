// Messages of the service in Japanese: src/contract/messages has their English forms. The conventions are those of tables/ja.ts.
import type { MessageTexts } from "../../../../src/contract/messages/read-message.ts";

export const messages: MessageTexts = {
  "request.invalid": "無効なパラメーターがあります。詳細は validation_errors にあります。",
  "request.malformed": "リクエストを読み取れませんでした：{reason}",
  "request.not_found": "見つかりません：{what}",
  "request.not_found.job": "この録音はありません。",
  "request.not_found.note": "このメモはありません。",
  "request.not_found.key": "このキーはありません。",
  "request.not_found.voice": "この声はありません。",
  "request.not_found.word": "この語は語彙にありません。",
  "request.not_found.vocabulary_list": "この語彙リストはありません。",
  "request.not_found.audio": "この録音の音声はありません。",
  "request.not_found.correction": "元に戻せる訂正はありません。",
  "request.other_page":
    "別のオリジンのページからのリクエストです。ヘッダーにキーがない場合、送信できるのはこのサービスと PARLANCE_CORS_ORIGINS のページだけで、サインインできるのはコンソールだけです。",
  "request.foreign_host":
    "ホスト {host} はこのサービスのものではありません。PARLANCE_PUBLIC_URL か PARLANCE_ALLOWED_HOSTS に接続先の名前を設定するか、ヘッダーでキーを送ってください。",
  "request.too_large": "リクエストが上限の {megabytes} MB を超えています。",
  "request.too_large.unknown": "リクエストが大きすぎます。",
  "request.body_too_slow": "データの到着が遅すぎます。{seconds} 秒ごとに少なくとも {bytes} バイトが必要です。",
  "account.key_missing": "キーが送られていません。ヘッダー {header} か authorization: Bearer KEY で送ってください。",
  "account.key_unknown": "このキーは不明か、失効しています。",
  "account.too_many_guesses":
    "このアドレスかネットワークから誤ったキーが多く送られました。{seconds} 秒お待ちください。以前に正しかったキーは引き続き使えます。",
  "account.not_operator": "サービス全体に関わるものを読んだり変更したりできるのは、既定のアカウントのキーだけです。",
  "limit.keys": "このアカウントのキーは上限の {most} 個に達しています。先に 1 個失効させてください。",
  "limit.queued_jobs": "このアカウントの {limit} 件の録音がすでに待機しています。",
  "limit.event_streams":
    "このプロセスには、このアカウントのイベントストリームがすでに {limit} 本あります。先に 1 本閉じてください。",
  "limit.requests": "このアカウントが送れるリクエストは 1 秒に {limit} 件までです。",
  "callbacks.header_locked":
    "webhook_auth_header_value の値を開けないため、この Webhook を送れません。運用者は封印に使った PARLANCE_SECRETS_KEY を設定するか、それを PARLANCE_SECRETS_KEY_PREVIOUS に設定してください。",
  "callbacks.secrets_locked":
    "このアカウントのコールバックのシークレットを開けないため、コールバックは待機しています。運用者は封印に使った PARLANCE_SECRETS_KEY を設定してください。失われた場合は新しいシークレットを作ってください。",
  "callback.failed": "コールバックを送れませんでした：{reason}",
  "storage.full":
    "ディスクに空きがありません（df -h、df -i）。録音を削除するか、PARLANCE_AUDIO_RETENTION_DAYS を設定するか、空きを作ってください。サービスは自動的に再開します。",
  "storage.full.free":
    "サービスのディスクに空きがありません（空き {free} MB）。録音を削除するか、PARLANCE_AUDIO_RETENTION_DAYS を設定するか、空きを作ってください。空きができると再び受け付けます。",
  "storage.full.reserved":
    "サービスのディスクに空きがありません（空き {free} MB、予備 {reserved} MB）。録音を削除するか、PARLANCE_AUDIO_RETENTION_DAYS を設定するか、空きを作ってください。空きができると再び受け付けます。",
  "storage.unavailable": "録音と文字起こしのストレージが応答しません。少ししてからもう一度お試しください。",
  "storage.recording_damaged":
    "保存された録音が壊れています（{expected} バイト中 {found} バイト）。バックアップから復元するか、もう一度アップロードしてください。",
  "system.exhausted":
    "このサービス用のファイル記述子、メモリー、プロセスが足りません。少ししてからもう一度お試しください。よく起きる場合は上限（ulimit -n、ulimit -u、コンテナーのメモリー）を上げてください。",
  "database.unavailable": "データベースが応答しません。少ししてからもう一度お試しください。",
  "database.value": "リクエストの値を保存できません：{reason}",
  "process.died": "プロセス {process} が予期せず終了しました（{reason}）。",
  "process.bystander": "プロセス {process} は、別の作業の処理中に終了しました。",
  "process.timeout": "プロセス {process} が {seconds} 秒以内に応答しませんでした。",
  "process.timeout.start": "プロセス {process} を起動できませんでした：{reason}",
  "process.failed": "プロセス {process} が失敗しました。理由はログにあります。",
  "recognition.queue_full": "認識の待ち行列がいっぱいです。",
  "work.aborted": "処理は中止されました。",
  internal: "サービス側で問題が起きました。理由は、このリクエストの ID でログにあります。",
  "internal.hidden": "サービスで処理に失敗しました。理由はログにあります。",
  "service.not_ready": "サービスはリクエストを受け付けられません：{reason}",
  "file.in_use": "処理中の録音がこのファイルを使っています。終わるのを待つか、録音を削除してください。",
  "file.unknown": "アップロードされたこのファイルはもうありません。もう一度アップロードしてください。",
  "file.too_large": "ファイルが上限の {megabytes} MB を超えています。",
  "media.not_decodable": "ファイルを音声や動画として読み取れません：{reason}",
  "media.encrypted":
    "ファイルの音声は暗号化されています（{scheme}）。コピー保護のない録音を使うか、送る前に復号してください。",
  "media.empty": "ファイルが空です。",
  "media.no_audio_track": "ファイルに音声トラックがありません。",
  "media.no_such_track": "ファイルに音声トラック {requested} はありません。あるトラック：{tracks}",
  "media.empty_range":
    "指定した部分には音声がありません。部分は {start} 秒から始まりますが、録音は {end} 秒で終わります。",
  "media.empty_range.part": "録音の {start} 秒から {end} 秒までには音声がありません。",
  "media.no_audio": "ファイルの音声トラックに音声データがありません。",
  "media.too_long": "音声が上限の {minutes} 分を超えています。",
  "media.time_limit": "読み取りは {spent} 秒で中止されました。それまでに読み取れた音声は {decoded} 秒だけです。",
  "decode.queue_full": "読み取りを待つファイルが多すぎます。少ししてからもう一度お試しください。",
  "fetch.address_not_allowed": "このアドレスは許可されていません：{reason}",
  "fetch.unauthorized":
    "このアドレスはサインインを求めます（401）。アドレス内のユーザー名とパスワードを確かめるか、署名付きのアドレスを使うか、ファイルをアップロードしてください。",
  "fetch.forbidden":
    "このアドレスは取得を拒否しました（403）。ファイルが非公開か、アドレスの期限が切れています。署名し直すか、ファイルをアップロードしてください。",
  "fetch.not_found": "このアドレスには何もありません（404）。アドレスを確かめてください。",
  "fetch.gone": "このアドレスのファイルは完全に削除されています（410）。",
  "fetch.rate_limited": "アドレスのホストは現在、これ以上のリクエストを拒否しています（429）。",
  "fetch.rate_limited.pause":
    "アドレスのホストは現在、これ以上のリクエストを拒否し（429）、{seconds} 秒の間隔を求めています。",
  "fetch.failed": "アドレスを取得できませんでした：{reason}",
  "fetch.given_up": "{problem}（これ以上は試行しません）",
  "fetch.given_up.pause": "{problem}（中止：求められた {seconds} 秒の間隔は長すぎます）",
  "fetch.queue_full": "このアカウントで取得を待つアドレスが多すぎます。少ししてからもう一度お試しください。",
  "upload.wrong_offset":
    "Upload-Offset は {given} ですが、保存済みは {stored} バイトです。HEAD で位置を確かめ、そこから続けてください。",
  "upload.taken_over": "より新しいリクエストがこのアップロードを続けているか、終わらせています。",
  "upload.beyond_length": "予告された {bytes} バイトより多く届きました。超えた分は保存されません。",
  "upload.expired": "このアップロードは期限切れです。長い間データが届きませんでした。最初からやり直してください。",
  "upload.checksum_differs":
    "届いたデータのチェックサム（{algorithm}）が異なるため、保存されていません。もう一度送ってください。",
  "limit.uploads":
    "このアカウントに未完了のアップロードが {limit} 件あります。いくつか終えるか削除してください。データが届かないものは期限切れになります。",
  "limit.upload_bytes":
    "このアカウントの未完了のアップロードは合計 {megabytes} MB までです。いくつか終えるか削除してください。データが届かないものは期限切れになります。",
  "limit.upload_parts": "このアップロードは上限の {limit} 個に分かれて届きました。より大きな単位でやり直してください。",
  "upload.completing": "すべて保存され、ファイルを検査中です。少ししてからもう一度お試しください。",
  "job.not_finished": "録音の処理が終わっていません（{status}）。削除できるのは、完了または失敗したものだけです。",
  "job.no_transcript": "文字起こしは録音の処理が終わるとできます（{status}）。",
  "job.no_transcript.expired": "文字起こしはもうありません。保存期間を過ぎました。",
  "job.fills_disk":
    "この録音の処理には、ディスクの空きより多くの容量が必要です（1 時間 1 チャンネルあたり 115 MB）。空きを作るか、分けて送ってください。",
  "job.poisoned":
    "この録音は段階「{stage}」で処理プロセスを 3 回終了させ、失敗しました。最後の理由：{reason}。ファイルが壊れている可能性があります。",
  "job.interrupted": "この録音は進まないまま何度も中断し、失敗しました。",
  "job.not_ended": "サービスはこの録音の終了を保存できませんでした。理由はログにあります。",
  "job.result_damaged":
    "保存された文字起こしが壊れていて、作り直せません。録音は残っています。ダウンロードして送り直してください。",
  "job.result_damaged.whole": "保存された文字起こしが壊れていて、作り直せません。録音もないか、壊れています。",
  "job.result_remade": "保存された文字起こしが壊れていたため、もう一度文字起こししています。完了後にお試しください。",
  "transcripts.queue_full": "書き出しを待つ文字起こしが多すぎます。少ししてからもう一度お試しください。",
  "limit.corrections":
    "この文字起こしの訂正は上限（元に戻したものを含めて {most} 件、合計 {characters} 文字）に達しています。",
  "correction.outdated":
    "その間に文字起こしが訂正されました。変更は版 {expected} に対するものでしたが、現在は版 {version} です。",
  "limit.tags": "1 つの録音のタグは {most} 個までです（{count} 個になります）。先にいくつか外してください。",
  "limit.notes": "この文字起こしのメモは上限の {most} 件です。先に 1 件削除してください。",
  "limit.shares": "この文字起こしのリンクは上限の {most} 件です。先に 1 件失効させてください。",
  "share.unavailable":
    "このリンクでは文字起こしを開けません。リンクが不完全か、期限切れか、失効したか、文字起こしが削除されました。新しいリンクをもらってください。",
  "note.outdated": "その間にメモが変更されました。変更は版 {expected} に対するものでしたが、現在は版 {version} です。",
  "limit.vocabulary": "語彙が {most} 語、または語と読みの合計 {forms} 個を超えます。先にいくつか削除してください。",
  "limit.vocabulary_lists": "このアカウントの語彙リストは上限の {most} 個です。先に 1 個削除してください。",
  "vocabulary_list.name_taken": "{name} という語彙リストはすでにあります。それを変更するか、別の名前を選んでください。",
  "vocabulary_list.outdated":
    "その間に語彙リストが変更されました。変更は版 {expected} に対するものでしたが、現在は版 {version} です。",
  "vocabulary_list.unknown":
    "選んだ語彙リストはこのアカウントにありません：{name}。削除されたか、名前が変わった可能性があります。",
  "stretches.no_audio": "この録音の音声はもうありません。音声がないと再認識できません。",
  "stretches.redacted":
    "この文字起こしからは個人データが除かれています。再認識の結果にそのデータが含まれうるため、再認識は行いません。",
  "stretches.busy":
    "再認識を待つ箇所が多すぎます（アカウントごとに {account}、全体で {all} まで）。少ししてからもう一度お試しください。",
  "add_ons.running": "この文字起こしには追加の処理中のものがあります。終わってから次を追加してください。",
  "add_ons.no_audio": "この録音の音声はもうありません。音声がないと話者を見つけられません。ほかのものは追加できます。",
  "add_ons.speakers_corrected":
    "この文字起こしの話者は手で修正されています。置き換えるにはそれを選んでください。新しい話者の修正を元に戻すと、以前の話者に戻ります。",
  "add_ons.outdated": "処理中に文字起こしが削除されたか、作り直されました。もう一度追加してください。",
  "add_ons.failed": "作成できませんでした：{names}。{reason}",
  "redaction.unavailable": "{reason}。個人データを含むテキストは返されません。",
  "voices.off":
    "このアカウントの声のライブラリーはオフです。声紋は生体データのため、明示的にオンにする必要があります（PUT /v2/voices/settings）。",
  "voices.no_key":
    "声は暗号化してのみ保存されますが、このサービスにはその鍵がありません。運用者は PARLANCE_SECRETS_KEY を設定してください。",
  "voices.locked":
    "このアカウントの声を開けません。運用者は封印に使った PARLANCE_SECRETS_KEY を設定してください。失われた場合は声を削除してください（PUT /v2/voices/settings）。",
  "voices.stored": "ライブラリーには {count} 個の声があり、オフにすると削除されます。delete_voices で確認が必要です。",
  "voices.name_taken": "{name} という声はすでにあります。サンプルを追加するか、別の名前を選んでください。",
  "limit.voices": "このアカウントの声は上限の {most} 個です。先に 1 個削除してください。",
  "limit.voice_samples": "1 つの声のサンプルは {most} 個までです。",
  "voices.refused": "この録音は人の声として使えません：{reason}",
  "voices.no_model":
    "声には話者モデル {model} が必要ですが、インストールされておらず、ダウンロードもできませんでした。",
  "voices.no_model.unset": "声には話者モデルが必要ですが、PARLANCE_SPEAKER_MODEL に指定がありません。",
  "voices.audio_gone": "この録音は削除されました。代わりに本人の録音を送ってください。",
  "limit.live_sessions": "ライブセッションがすでに {limit} 件動いています。",
  "limit.live_sessions.account": "このアカウントのライブセッションがすでに {limit} 件動いています。",
  "limit.live_connections":
    "このアカウントのライブ接続がすでに {limit} 本開かれつつあります。少ししてからもう一度お試しください。",
  "service.overloaded":
    "これ以上のライブセッションを受け持つ余力がありません（現在は {most} 件まで）。後でもう一度お試しください。",
  "live.log_lost": "このプロセスはもうライブセッションを担当していません。",
  "live.unused": "アクセスの期限までに、セッションへの接続がありませんでした。",
  "live.audio_unreadable": "ライブセッションの音声を読み取れません：{reason}",
  "live.source_refused": "ソースを読み取れません：{reason}",
  "live.source_failed": "ソースを読み取れませんでした：{reason}",
  "live.source_absent": "ソースが見つかりませんでした：{reason}",
  "live.source_decoder_lost":
    "ソースを読み取れませんでした。音声によってデコーダーが異常終了したか、応答しなくなりました。",
  "limit.viewers":
    "このプロセスではすでに {limit} 人がこのセッションを見ています。誰かが離れてからもう一度お試しください。",
  "live.without_viewers": "このセッションの字幕は閲覧者用に保存されません。captions: true で作成してください。",
  "live.failed": "このセッションでサービスが失敗しました。理由はログにあります。",
  "recognition.language_unavailable":
    "インストール済みのモデルは {languages} を認識しません。認識できるのは {installed} です。{remedy}",
  "recognition.language_unavailable.model":
    "モデル {model} は {languages} に対応していません（対応：{known}）。モデルを指定しないか、対応するモデルを選んでください（{command} models list）。",
  "recognition.not_english":
    "音声は英語ではなく、インストール済みのモデルは他の言語を認識しません。モデルを追加してください：{command}。英語であれば、言語に英語を選んでください。",
  "recognition.not_english.fetch":
    "音声は英語ではなく、インストール済みのモデルは他の言語を認識しません。モデル {model} をダウンロードできませんでした。理由はログにあります。{remedy}",
  "recognition.language_undetected":
    "言語を判定できません。インストール済みのモデルは英語だけを認識します。言語を判定するモデルを追加してください：{command}",
  "recognition.no_speech": "言語を判定できません。録音の冒頭に音声がありません。",
  "models.missing": "モデル {model} はインストールされていません。{remedy}",
  "models.on_its_way":
    "この言語に必要なモデル {model} をダウンロード中です（{progress}）。完了後にもう一度お試しください。",
  "models.unknown": "モデル「{model}」はありません。{hint}",
  "models.fetch_failed":
    "{address} をダウンロードできませんでした：{reason}。ダウンロード済みの分は残っています。{remedy}",
  "models.refused": "{address} の応答は {status} です。読み取り権限のあるトークンが必要です（PARLANCE_MODELS_TOKEN）。",
  "models.refused.missing": "{address} の応答は {status} です。そのファイルはありません。名前を確かめてください。",
  "models.wrong_hash": "{file} は配布元のファイルと異なるため（SHA-256）、削除されました。もう一度お試しください。",
  "models.no_space":
    "モデルには {needed} MB 必要ですが、モデル用ディスクの空きは {free} MB です。空きを作るか、PARLANCE_MODELS_DIR を別のディスクにしてください。",
  "models.damaged": "モデル {model} が壊れています：{problems}。実行：{command}",
  "models.built_in": "モデル {model} はプログラムの一部なので、削除できません。",
  "language_model.configured":
    "言語モデルは PARLANCE_LLM_URL で設定されています。別のものを使うには、その設定を変えてください。",
  "language_model.one_process":
    "PARLANCE_ROLES でサービスが分かれているため、言語モデルを使うのはこのプロセスだけになります。各プロセスに PARLANCE_LLM_URL と PARLANCE_LLM_MODEL を設定してください。",
  "language_model.memory":
    "言語モデル {model} にはメモリーが {needed} MB 必要ですが、空きは {free} MB です。PARLANCE_LANGUAGE_MODEL を小さいモデルにするか（{command}）、メモリーを増やしてください。",
  "language_model.unavailable":
    "言語モデルにはパッケージ {package} が必要ですが、ここにはないか、動きません。--omit=optional なしで npm ci を実行するか、PARLANCE_LLM_URL にサーバーを設定してください。",
  "language_model.damaged": "言語モデル {model} を読み込めません：{reason}。確認：{command}",
  "language_model.removed": "言語モデルが削除されたか、読み取れません。もう一度追加してください：{command}",
  "language_model.too_long":
    "質問と回答に {needed} トークン必要ですが、言語モデルの上限は {room} です。短くするか、より長い文脈のモデルを使ってください。",
  "language_model.failed": "言語モデルが回答の作成中に失敗しました。",
  "questions.unavailable": "利用できません：{reason}",
  "questions.failed": "回答がありません：{reason}",
  "questions.busy":
    "回答を待つ質問が多すぎます（アカウントごとに {account}、全体で {all} まで）。後でもう一度お試しください。",
  "language_model.not_installed":
    "回答には言語モデル {model} が必要ですが、インストールされていません。ダウンロードの大きさは {size} MB です。",
  "language_model.not_installed.unsized":
    "回答には言語モデル {model} が必要ですが、インストールされていません。ダウンロードが必要です。",
  "language_model.on_its_way":
    "言語モデル {model} をダウンロード中です（{progress}）。完了後にもう一度質問してください。",
  "language_model.busy":
    "言語モデルを待つリクエストが多すぎます（アカウントごとに {account}、全体で {all} まで）。後でもう一度お試しください。",
  "media.damaged": "音声が壊れているか、未知の符号化です",
  "media.damaged_packets": "音声の {count} パケット中 {damaged} 個が壊れているか、暗号化されています",
  "media.document": "録音ではなく {document} です",
  "media.unknown_format": "形式が不明か、壊れているか、途中で切れています",
  "media.unknown_format.encrypted": "形式が不明です。保護された HLS のセグメントのように、暗号化されているようです",
  "media.no_index": "索引（ボックス「moov」）がありません。録音が完了していないか、ファイルが途中で切れています",
  "media.decoder_ended": "デコーダーが 2 回停止しました",
  "fetch.reason.unreachable": "ホストに接続できません",
  "fetch.reason.slow": "ホストの応答が遅すぎました",
  "fetch.reason.cut": "ホストが応答を途中で切りました",
  "fetch.reason.no_address": "ホスト名が見つかりません",
  "fetch.reason.answered": "ホストの応答は {status} でした",
  "fetch.reason.private":
    "ホストはプライベートネットワークにあります。運用者は PARLANCE_ALLOW_PRIVATE_ADDRESSES=true で許可できます",
  "voices.reason.no_person": "文字起こしのこの部分に、1 人の話し声がありません",
  "voices.reason.no_speech": "話し声がありません。本人だけの声を 10 秒録音してください",
  "voices.reason.noise": "音楽や雑音ばかりで、話し声がほとんどありません。本人だけの声を 10 秒録音してください",
  "voices.reason.two_voices": "複数の声があります（{own} 秒と {other} 秒）。1 人だけを録音してください",
  "voices.reason.short": "1 人の話し声が {seconds} 秒です。少なくとも {least} 秒、できれば 10 秒必要です",
  "voices.reason.unclear": "1 人のはっきりした声ではありません。音楽や雑音なしで、本人だけを録音してください",
  "models.hint.known": "使える名前：{names}",
  "models.hint.similar": "似た名前：{names}。{rest}",
  "models.hint.list":
    "名前で追加できるものは {command} models list で見られます。その他：hf:OWNER/NAME、hf:OWNER/NAME:FILE.gguf、フォルダー、GGUF ファイル",
  "models.remedy.add": "追加するコマンド：{command}",
  "models.remedy.language": "対応するモデルを追加してください：{command}",
  "models.remedy.not_fetched": "ダウンロードできませんでした。理由はログにあります。{remedy}",
  "models.remedy.hub":
    "プロキシーの内側では HTTPS_PROXY を、ミラーを使うなら PARLANCE_MODELS_URL を設定してください。ネットワークがなければ、モデルをここへコピーして {command} を実行してください",
  "models.optional.missing": "モデル{model}がインストールされていません。管理者が追加できます：{command}",
  "models.optional.not_fetched":
    "モデル{model}がインストールされておらず、ダウンロードもできませんでした（{reason}）。管理者が追加できます：{command}",
  "models.optional.none": "{variable}が空です。管理者がモデルを指定できます",
  "models.optional.other": "{variable}の{model}は、適切なモデルではありません",
  "models.optional.failed": "モデル{model}が失敗しました。理由はサービスのログにあります",
  "models.optional.unread": "インストール済みのモデルを読み取れませんでした",
  "service.reason.stopping": "まもなく停止します",
  "service.reason.no_recogniser": "認識プロセスが動いていません",
  "service.reason.database": "データベースが応答しません",
  "addon.needs_model":
    "{name} には言語モデルが必要ですが、インストールされていません。追加：{command}。または PARLANCE_LLM_URL（と PARLANCE_LLM_MODEL）に OpenAI 互換のサーバーを設定してください",
  "addon.needs_model.off":
    "{name} には言語モデルが必要ですが、PARLANCE_LANGUAGE_MODEL が none です。{model} にするか、PARLANCE_LLM_URL（と PARLANCE_LLM_MODEL）に OpenAI 互換のサーバーを設定してください",
  "addon.needs_model.missing":
    "{name} には言語モデルが必要ですが、{model}（PARLANCE_LANGUAGE_MODEL）はインストールされていません。追加：{command}。または PARLANCE_LLM_URL（と PARLANCE_LLM_MODEL）に OpenAI 互換のサーバーを設定してください",
  "addon.language": "{name} はここでは {languages} に対応しますが、これは {spoken} です",
  "addon.language.model":
    "{name} はここでは {languages} に対応しますが、これは {spoken} です。言語モデルなら他の言語も扱えます。PARLANCE_LLM_URL を設定するか、追加してください（{command}）",
  "addon.late": "{name} は {seconds} 秒以内に終わりませんでした",
  "addon.late.process": "{name} は終わりませんでした。それ以外の文字起こしは完全です",
  "addon.late.all": "アドオンが時間内に終わりませんでした。文字起こしは完全です",
  "addon.slow": "{name} はこのセッションには遅すぎます",
  "addon.too_long": "文字起こしが言語モデルには長すぎます",
  "addon.budget": "PARLANCE_LLM_MAX_TOKENS で許可された {tokens} トークンを超えます",
  "addon.no_text": "言語モデルの応答にテキストがありません",
  "addon.wrong_form": "言語モデルが求めた形式で応答しませんでした",
  "addon.unusable": "言語モデルの応答を使えませんでした",
  "addon.model_stopped": "言語モデルが応答しなくなったため、終了しました",
  "addon.model_ended": "回答の作成中に言語モデルのプロセスが終了しました。理由はログにあります",
  "addon.prompt":
    "指示は {tokens} トークンですが、文字起こしと回答を含めた言語モデルの上限は {room} です。短くするか、より長い文脈のモデルを使ってください。",
  "addon.server": "{server} が失敗しました：{reason}",
  "addon.no_chapter": "言語モデルがチャプターを挙げませんでした",
  "diarization.failed": "話者を区別できませんでした。話者以外の文字起こしは完全です",
  "translation.left_out": "言語モデルが翻訳の一部を省きました",
  "translation.late": "翻訳が時間内に終わりませんでした（{models}）",
  "translation.failed": "翻訳プロセスが失敗しました。モデルを確認してください：{command}（使用中：{models}）",
  "translation.no_model":
    "{pair} の翻訳モデルがインストールされていません。追加：{command}。または PARLANCE_LLM_URL か PARLANCE_TRANSLATE_URL にサーバーを設定してください",
  "translation.not_published":
    "{pair} の翻訳モデルはありません。PARLANCE_LLM_URL か PARLANCE_TRANSLATE_URL にサーバーを設定してください",
  "questions.needs_model":
    "文字起こしへの質問には言語モデルが必要ですが、インストールされていません。追加：{command}。または PARLANCE_LLM_URL（と PARLANCE_LLM_MODEL）に OpenAI 互換のサーバーを設定してください",
  "questions.needs_model.off":
    "文字起こしへの質問には言語モデルが必要ですが、PARLANCE_LANGUAGE_MODEL が none です。{model} にするか、PARLANCE_LLM_URL（と PARLANCE_LLM_MODEL）に OpenAI 互換のサーバーを設定してください",
  "questions.needs_model.missing":
    "文字起こしへの質問には言語モデルが必要ですが、{model}（PARLANCE_LANGUAGE_MODEL）はインストールされていません。追加：{command}。または PARLANCE_LLM_URL（と PARLANCE_LLM_MODEL）に OpenAI 互換のサーバーを設定してください",
  "questions.process_ended": "回答を作成するプロセスが終了しました。もう一度質問してください",
  "questions.late": "回答に {seconds} 秒より長くかかりました",
  "questions.no_words": "文字起こしに語がないため、質問に答えられません",
  "field.web_address": "{field} は http か https の Web アドレスにしてください",
  "field.web_address.credentials": "{field} はユーザー名とパスワードのない Web アドレスにしてください",
  "field.web_address.encoding":
    "{field} のユーザー名またはパスワードに、パーセントエンコーディングが必要な記号があります。/ は %2F、? は %3F、# は %23、@ は %40、\\ は %5C です",
  "field.web_address.private":
    "{field} は公開ネットワークのアドレスにしてください。運用者は PARLANCE_ALLOW_PRIVATE_ADDRESSES=true でプライベートアドレスを許可できます",
  "field.number": "{field} は許可された範囲の数にしてください",
  "field.integer": "{field} は整数にしてください",
  "field.one_of": "{field} は次のいずれかにしてください：{values}",
  "field.one_of.given": "{field} は次のいずれかにしてください：{values}（{given}）",
  "field.only": "{field} に使えるのは次の値だけです：{values}",
  "field.only.given": "{field} に使えるのは次の値だけです：{values}（{given}）",
  "field.required": "{field} は必須です",
  "field.required.when": "{switch} がオンのとき、{field} は必須です",
  "field.not_part": "{field} はこのリクエストの項目ではありません",
  "field.minimum": "{field} は {limit} 以上にしてください",
  "field.maximum": "{field} は {limit} 以下にしてください",
  "field.order": "{field} は {other} 以下にしてください",
  "field.speakers": "{field} は {other} 以下にしてください。どちらかを変えるか、省いてください",
  "field.few": "{field} には少なくとも {limit} 個が必要です",
  "field.many": "{field} は {limit} 個までです",
  "field.empty": "{field} を空にはできません",
  "field.long": "{field} は {limit} 文字までです",
  "field.visible": "{field} には文字、数字、記号のいずれかが必要です",
  "field.model": "{field} は次のいずれかにしてください：{values}（指定：{given}）",
  "field.schema": "{field} は使えません：{reason}",
  "field.redaction": "{field} の {type} はデータの種類ではありません",
  "field.redaction.rules":
    "{field} の {type} には規則がありません。除く種類を個別に指定するか、言語モデルを追加してください",
  "field.cursor": "{field} は別の一覧のものです",
  "field.more": "ほかにも問題があります",
  "vocabulary.pronunciations": "{word} の読みが {count} 個になります。{most} 個までです",
  "stretch.order": "終わり（{end}）は始まり（{start}）より後にしてください",
  "stretch.long": "範囲は {most} 秒までです（現在 {seconds} 秒）",
  "note.order": "終わり（{end}）を始まり（{start}）より前にはできません",
  "note.no_words": "チャンネル {channel} の {start} から {end} の間に語がありません",
  "correction.no_words":
    "段落 {index} の {start} から {end} の間に語がありません。語があるのは {first} から {last} です",
  "correction.speaker": "{field} は話者 {speakers} のいずれかにしてください（指定：{given}）",
  "language_model.not_found": "この言語モデルは、このマシンで見つかりませんでした",
  "warning.truncated": "ファイルが途中で切れています。宣言された {declared} 秒のうち {held} 秒の音声があります",
  "warning.damaged_packets": "壊れたパケットを飛ばしました",
  "warning.failed_reads": "ファイルに壊れていて読み取れない箇所があります",
  "warning.unreadable_end": "ファイルが壊れています。{time} 秒より後を読み取れませんでした",
  "warning.gaps": "ファイルに {time} 秒の音声の欠けがあります（最初は {first} 秒）。無音として扱います",
  "warning.skipped_part": "読み取れない部分を飛ばしました（{time} 秒）",
  "warning.skipped_parts": "ほかの部分も飛ばしました",
  "warning.jumps": "時刻情報が録音の長さを超えて飛んでいます。その飛びは無視しました",
  "warning.steps_back": "時刻情報が戻っています。その後の時刻は直前の音声から数えます",
  "warning.timestamps": "時刻情報が矛盾しています。{time} 秒以降は無視しました",
  "warning.unused_bytes": "ファイルのバイト {from} 以降の {bytes} バイトは使われていません：{reason}",
  "warning.unused_bytes.format": "形式がそこで途切れています",
  "warning.unused_bytes.parts": "録音が {most} 件を超えています",
  "warning.unused_bytes.page": "ファイルが Ogg のページの途中で切れています",
  "warning.unused_bytes.box": "音声を含む MP4 のボックスの中にありません",
  "warning.unused_bytes.zeros": "中断されたダウンロードなどに見られるゼロです",
  "warning.unlisted":
    "メディアデータ {held} バイトのうち {unused} バイトは使われていません。ファイルの索引に記載がありません",
  "warning.edited_out": "ファイルの編集リストにより、音声 {whole} 秒のうち {left} 秒が除かれています",
  "warning.fragments_back": "ファイルのフラグメントの時刻が戻っています。その後の時刻は直前の音声から数えます",
  "warning.stale_header":
    "ファイルのヘッダーの音声は {declared} バイトですが、続くデータは {read} バイトです。すべて読み取りました",
  "warning.misstated": "サンプルの形式は {stated} とされていますが、実際は {likely} です。そのように読み取りました",
  "warning.misstated.section":
    "サンプルの形式は {stated} とされていますが、{from} 秒から {end} 秒は {likely} です。そのように読み取りました",
  "warning.misstated.doubtful":
    "サンプルの形式は {stated} とされていますが、{likely} に見えます。指定のとおりに読み取りました",
  "warning.exchanged_channels": "サンプルがずれている箇所では、ファイルのチャンネルが入れ替わっている可能性があります",
  "warning.no_samples":
    "サンプルの形式は {stated} とされていますが、データは {likely} に見えます。単語はおそらく誤りです",
  "warning.above_scale": "ファイルのサンプルがフルスケールを超えています。{factor} で割りました",
  "warning.clipped_scale": "ファイルのサンプルの一部がフルスケールを超えています。超えた分は切り取られました",
  "warning.low_scale": "ファイルのサンプルが非常に小さいため、{factor} 倍しました",
  "warning.not_numbers": "ファイルのサンプルの一部が数値ではありません。無音として扱います",
  "warning.stale_tag":
    "ファイルの ID3 タグのサイズは {stated} バイトとなっていますが、音声は {begin} バイト目から始まります。音声はすべて読み取られました",
  "warning.truncated.bytes":
    "ファイルが途中で切れています。ヘッダーの音声は {declared} バイトですが、実際は {held} バイトです",
  "warning.doubled":
    "同じ音が {seconds} 秒遅れて、ほぼ同じ音量で重なっています。語が重複したり誤ったりすることがあります。2 つの機器か回線が混ざっているようです。片方だけを録音してください",
  "warning.leaks_of_many":
    "独自の音源を持つチャンネルが {channels} 本あります。音の漏れを除けるのは {most} 本までなので、同じ発話が 2 回文字起こしされることがあります",
  "warning.leaks": "チャンネル間の音の漏れを除けませんでした。同じ発話が両方に出ることがあります",
  "warning.slow_speech":
    "音声が遅く低すぎるため、語はおそらく誤っています。サンプリングレートが、宣言された値の 2～3 倍と思われます",
  "warning.fast_speech":
    "音声が速く高すぎるため、語はおそらく誤っています。サンプリングレートが、宣言された値の 1/2～1/3 と思われます",
  "warning.wordless":
    "声のある {seconds} 秒（{places}）で語が認識されませんでした。発話が抜けているか、別の音が声と判定されたと思われます",
  "warning.holes":
    "発話の途中に {seconds} 秒のデジタル無音があります（{places}）。そこで音声が失われたか、ミュートまたはカットされており、語が抜けている可能性があります",
  "warning.wordless_track":
    "音声トラック {track}（全 {count}、0 から数えます）では語が認識されませんでした。別のトラックは audio_track で指定してください",
  "warning.foreign": "{seconds} 秒の発話を除きました。{problem}",
  "warning.doubtful":
    "{seconds} 秒は英語ではない可能性があります。英語モデルは語に確信がありません。言語を選び、対応するモデルを追加してください：{command}。英語であれば英語を選んでください",
  "warning.doubtful.some":
    "一部は英語ではない可能性があります。英語モデルは語に確信がありません。言語を選び、対応するモデルを追加してください：{command}。英語であれば英語を選んでください",
  "warning.voices_sealed": "話者の名前がありません。声が別の鍵で封印されています",
  "warning.vocabulary": "録音に固有の語彙が多いため、アカウントの語彙の語（{count}）を省きました",
  "warning.vocabulary.live": "セッションに固有の語彙が多いため、アカウントの語彙の語（{count}）を省きました",
  "warning.no_effect.unknown": "{field} はこのリクエストの項目ではないため、無視しました",
  "warning.no_effect.similar": "{field} はこのリクエストの項目ではないため、無視しました（{similar} のことですか）",
  "warning.no_effect.switch": "{field} は {switch} がオンのときだけ有効です",
  "warning.no_effect.beside": "{field} は {other} があると効果がありません",
  "warning.no_effect": "{field} は効果がありません：{reason}",
  "warning.redaction": "{types} は言語モデルが探すため、見落としがありえます。結果を確かめてください",
  "warning.translation.context": "文脈は翻訳モデルには効果がなく、言語モデルで使われます",
  "warning.translation.informal": "くだけた文体の指定は翻訳モデルには効果がなく、言語モデルで使われます",
  "warning.translation.rest": "{languages} の発話は翻訳されませんでした：{reasons}",
  "live.turns": "発言の終わりの検出は働かず、設定した沈黙の長さで区切りました：{reason}",
  "live.speakers.names": "話者の名前がありません：{reason}",
  "live.speakers.encoder": "話者は、精度の低い認識器の方法で区別しました：{reason}",
  "live.speakers.none": "段落に話者がありません：{reason}",
  "live.speakers.whole": "セッション全体の話者を区別できませんでした。段落の話者のままです：{reason}",
  "live.speakers.later": "話者モデルが失敗したため、以降の段落に話者がありません。結果にはセッションの終わりに付きます",
  "live.speakers.model_failed": "話者モデルが失敗しました",
  "live.speakers.models_unread": "モデルを読み取れませんでした",
  "live.format":
    "音声はおそらくセッションの形式ではありません。{declared} として読んでいますが、データは {likely} に見えます（{advice}）",
  "live.end.idle": "長い間データが届かなかったため、セッションを終了しました",
  "live.end.deleted": "セッションは削除されました",
  "live.end.fault": "内部エラー",
  "live.end.token": "アクセス用トークンが無効です",
  "live.end.revoked": "このセッションを作ったキーは失効しました",
  "live.end.expired": "セッションは使われないまま期限が切れました",
  "live.end.over_limit": "このアカウントのライブセッションが多すぎます",
  "live.end.ended": "セッションは終了しました",
  "live.end.cause": "セッションは終了しました（{cause}）。結果には {seconds} 秒の音声があります",
  "live.end.cause.client": "音声の一部が保存されませんでした",
  "live.end.cause.idle": "長い間データが届きませんでした",
  "live.end.cause.away": "接続がありませんでした",
  "live.end.cause.length": "最大の長さに達しました",
  "live.end.cause.revoked": "キーが失効しました",
  "live.end.unknown": "サービスがセッションを終了しました（{code}）",
};
