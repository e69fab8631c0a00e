import ValiseAccounts
import ValiseChatSchema
import ValiseCryptoFiles

/// Finds the files of items among those of an account.
struct MediaFinder {
    let store: any MediaStore

    /// - Throws: `FileError`.
    func find(_ file: ItemFile) throws -> ItemFileFinding {
        guard let path = file.path else { return .absent(.unfinished, problem: nil) }
        let isExpected = file.isReceived
        guard case .file(let name, let storedSize) = try store.find(path) else {
            return isExpected
                ? .absent(.missing, problem: "missing") : .absent(.unfinished, problem: nil)
        }
        let size = storedSize - (file.isEncrypted ? CryptoFileCipher.overhead : 0)
        if !isExpected, file.size.map({ $0 != size }) ?? (size <= 0) {
            return .absent(.unfinished, problem: nil)
        }
        guard size >= 0, file.size.map({ $0 == size }) ?? true else {
            return .absent(.damaged, problem: "has another size than its message says")
        }
        return .file(name: name, size: size)
    }
}
