public import SystemPackage
import ValiseFailures

/// A key store, by its name.
public enum KeyStoreChoice: Equatable, Sendable {
    /// The Secret Service of the desktop, over D-Bus.
    case secretService
    /// The keyring of the Linux kernel, until the machine restarts.
    case kernel
    /// The keychain of macOS.
    case keychain
    /// Files in the default folder, or in another one.
    case file(FilePath?)

    /// - Returns: nil if this system has no such key store.
    package init?(name: String) {
        switch name {
        case "secret-service": self = .secretService
        case "kernel": self = .kernel
        #if canImport(Security)
            case "keychain": self = .keychain
        #endif
        case "file": self = .file(nil)
        default:
            guard name.hasPrefix("file:"), name != "file:" else { return nil }
            self = .file(FilePath(String(name.dropFirst(5))))
        }
    }

    /// As ``init(name:)`` takes it.
    package var name: String {
        switch self {
        case .secretService: "secret-service"
        case .kernel: "kernel"
        case .keychain: "keychain"
        case .file(let folder): folder.map { "file:\($0.string)" } ?? "file"
        }
    }

    /// Those that are asked when none is chosen, the fastest first.
    package static var all: [KeyStoreChoice] {
        #if canImport(Security)
            [.file(nil), .keychain]
        #else
            [.kernel, .file(nil), .secretService]
        #endif
    }

    /// Where a passphrase goes when no store is chosen: the one that lasts and is protected.
    package static var usual: KeyStoreChoice {
        #if canImport(Security)
            .keychain
        #else
            .secretService
        #endif
    }
}
