import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// What attachments fail with, in one wording for all forms.
enum AttachmentError {
    static func noKey() -> SessionStoreError {
        SessionStoreError(.noKey, "the attachment is encrypted, and its key is unknown")
    }

    static func keyLength(_ count: Int, _ expected: Int) -> SessionStoreError {
        SessionStoreError(
            .wrongKey,
            "the key of the attachment has \(Count.text(count, "byte")) instead of \(expected)")
    }

    static func wrongKey(_ source: any ByteSource) -> SessionStoreError {
        SessionStoreError(
            .wrongKey, "the key does not open the attachment, or the attachment is damaged",
            source.path.string)
    }

    /// The digest of the file is right, so that the fault is the key's.
    static func certainlyWrongKey(_ source: any ByteSource) -> SessionStoreError {
        SessionStoreError(
            .wrongKey, "the key does not open the attachment, whose digest is right", source.path.string)
    }

    static func damaged(_ source: any ByteSource, _ why: String) -> SessionStoreError {
        SessionStoreError(.damaged, "the attachment is damaged: \(why)", source.path.string)
    }

    static func tooLarge(_ source: any ByteSource, _ limit: Int64) -> SessionStoreError {
        SessionStoreError(
            .unsupported, "the attachment exceeds the limit of \(Count.bytes(limit))", source.path.string)
    }

    static func missing(_ error: FileError) -> SessionStoreError {
        SessionStoreError(.missing, "the attachment is missing", error.path.string, cause: error)
    }
}
