import ValiseEncoding
import ValiseFailures

/// The one place where the status codes of servers get their meaning.
///
/// Source: draft-ietf-secsh-filexfer-02, section 7. Some servers send codes of later versions, too.
extension SFTPStatus {
    /// There is nothing more to read.
    var isEnd: Bool { code == 1 }

    /// A file or a folder on the way to it is missing.
    var isMissing: Bool { code == 2 || code == 10 }

    /// `SSH_FX_FAILURE`: with OpenSSH's server any error of the system that has no code of its own, such as a full disk, a file
    /// that exists, or a read-only file system.
    var isUnexplained: Bool { code == 4 }

    /// - Parameters:
    ///   - verb: what was tried, in the infinitive.
    ///   - subject: the file or folder.
    func failure(cannot verb: String, _ subject: String) -> StorageError {
        let (kind, code, reason) = meaning
        return StorageError(
            kind, code, "cannot \(verb) on the server: \(reason)\(said(beside: reason))", subject)
    }

    private var meaning: (StorageError.Kind, FailureCode, String) {
        switch code {
        case 2, 10: (.general, .notFound, "no such file or folder")
        case 3: (.general, .denied, "permission denied")
        case 6, 7: (.unreachable, .failed, "the server lost its connection")
        case 8: (.general, .unsupported, "not supported")
        case 11: (.general, .alreadyExists, "already exists")
        case 12: (.general, .denied, "read-only file system")
        case 14, 15: (.general, .noSpace, "no space left on the disk, or quota exceeded")
        case 4: (.general, .failed, "the server gives no reason")
        default: (.general, .failed, "status \(code)")
        }
    }

    /// The server's words, unless they are those of the code.
    private func said(beside reason: String) -> String {
        let plain = [
            "", "failure", "no such file", "permission denied", "operation unsupported", "success", reason,
        ]
        return plain.contains(text.lowercased()) ? "" : " (\(text))"
    }

    /// Bytes that a user without privileges may write; nil for an answer that does not say.
    ///
    /// - Parameter answer: to `statvfs@openssh.com`.
    static func freeSpace(_ answer: ArraySlice<UInt8>) -> Int64? {
        var reader = ByteReader(answer)
        do throws(ByteCodingError) {
            try reader.skip(8)
            let fragment: UInt64 = try reader.bigEndian()
            try reader.skip(16)
            let available: UInt64 = try reader.bigEndian()
            let (bytes, overflow) = fragment.multipliedReportingOverflow(by: available)
            return overflow ? nil : Int64(exactly: bytes)
        } catch {
            return nil
        }
    }
}
