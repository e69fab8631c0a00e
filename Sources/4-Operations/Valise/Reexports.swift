// `import Valise` alone is enough for an app: the modules whose types its operations take and give come along, and those of which
// a part can be used alone. ValiseCryptography and ValiseSessionStore have nothing public: the commands parse the names of
// algorithms and languages.

@_exported public import SystemPackage
@_exported public import ValiseAccountArchives
@_exported public import ValiseAccounts
@_exported public import ValiseArchives
@_exported public import ValiseChatLog
@_exported public import ValiseChatSchema
@_exported public import ValiseConcurrency
@_exported public import ValiseContentStore
@_exported public import ValiseCryptoFiles
@_exported public import ValiseCryptography
@_exported public import ValiseDatabase
@_exported public import ValiseFailures
@_exported public import ValiseFiles
@_exported public import ValiseJobQueue
@_exported public import ValiseKeys
@_exported public import ValiseMaintenance
@_exported public import ValiseMedia
@_exported public import ValiseMediaRules
@_exported public import ValiseMoves
@_exported public import ValisePages
@_exported public import ValiseRelay
@_exported public import ValiseSecrets
@_exported public import ValiseSessionStore
@_exported public import ValiseTransfers
@_exported public import ValiseXFTPWire
