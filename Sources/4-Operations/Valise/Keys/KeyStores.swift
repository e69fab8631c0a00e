import CValisePlatform
import SystemPackage
import ValiseFailures
package import ValiseKeys

/// The key stores of a user.
package struct KeyStores: Sendable {
    /// What is said where a keyring cannot be asked.
    package static let noBus = "no D-Bus session to reach a keyring"

    private let folders: ValiseFolders
    private let mayPrompt: Bool

    /// - Parameter mayPrompt: whether a keyring may show a dialog, where there is a screen for it.
    package init(_ folders: ValiseFolders, mayPrompt: Bool) {
        self.folders = folders
        self.mayPrompt = mayPrompt
    }

    /// Several stores to look in: the chosen one, or all that this session may have.
    package func search(_ choice: KeyStoreChoice?) throws -> KeySearch {
        KeySearch(try stores(choice), toleratesAbsence: choice == nil)
    }

    /// The chosen store, or all that this session may have.
    package func stores(_ choice: KeyStoreChoice?) throws -> [any KeyStore] {
        if let choice { return [try store(choice)] }
        return try KeyStoreChoice.all.filter(mayBeHere).map { try store($0) }
    }

    package func store(_ choice: KeyStoreChoice) throws -> any KeyStore {
        switch choice {
        case .kernel: return KernelKeyringStore()
        case .file(let folder):
            guard let folder = folder ?? folders.keys else {
                throw OperationError(.invalid, "no folder for keys", need: .keyFolder)
            }
            return FileKeyStore(folder: folder)
        case .secretService:
            guard folders.hasSessionBus else {
                throw KeyStorageError(.unavailable, .unsupported, Self.noBus, "secret-service")
            }
            // Asked while the keyring keeps us waiting; the second is for a program that catches interrupts itself.
            return SecretServiceStore(mayPrompt: mayPrompt && folders.hasScreen) {
                Task.isCancelled || valise_interrupted()
            }
        case .keychain:
            #if canImport(Security)
                return KeychainStore()
            #else
                throw OperationError(.unsupported, "the Keychain exists only on Apple systems")
            #endif
        }
    }

    /// Whether it makes sense to ask. Without a session's bus, a library would start one.
    private func mayBeHere(_ choice: KeyStoreChoice) -> Bool {
        switch choice {
        case .secretService: folders.hasSessionBus
        case .file: folders.data != nil
        case .kernel, .keychain: true
        }
    }
}
