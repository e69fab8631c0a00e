import ArgumentParser
import CValisePlatform
import SystemPackage
import ValiseFailures
import ValiseKeys

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A key store as it is named on the command line.
enum KeyStoreChoice: ExpressibleByArgument, Equatable {
    case secretService
    case kernel
    case keychain
    /// The files in the usual folder, or in another one.
    case file(String?)

    init?(argument: String) {
        switch argument {
        case "secret-service": self = .secretService
        case "kernel": self = .kernel
        #if canImport(Security)
            case "keychain": self = .keychain
        #endif
        case "file": self = .file(nil)
        default:
            guard argument.hasPrefix("file:"), argument != "file:" else { return nil }
            self = .file(String(argument.dropFirst(5)))
        }
    }

    /// For help texts.
    static let list = "\(names.joined(separator: ", ")) or file:FOLDER"

    /// For completions.
    static let names = allKinds.map(\.defaultValueDescription)
    static var allValueStrings: [String] { names }

    var defaultValueDescription: String {
        switch self {
        case .secretService: "secret-service"
        case .kernel: "kernel"
        case .keychain: "keychain"
        case .file(let folder): folder.map { "file:\($0)" } ?? "file"
        }
    }

    /// Those that are asked when none is chosen, the fastest first.
    private static var allKinds: [KeyStoreChoice] {
        #if canImport(Security)
            [.file(nil), .keychain]
        #else
            [.kernel, .file(nil), .secretService]
        #endif
    }

    /// Where a passphrase goes when no store is chosen: the one that lasts and is protected.
    static var usual: KeyStoreChoice {
        #if canImport(Security)
            .keychain
        #else
            .secretService
        #endif
    }

    /// Several stores to look in: the chosen one, or all that this session may have.
    static func search(_ choice: KeyStoreChoice?, noInput: Bool) throws -> KeySearch {
        KeySearch(try stores(choice, noInput: noInput), toleratesAbsence: choice == nil)
    }

    /// The chosen store, or all that this session may have.
    static func stores(_ choice: KeyStoreChoice?, noInput: Bool) throws -> [any KeyStore] {
        if let choice { return [try choice.store(noInput: noInput)] }
        return try allKinds.filter(\.mayBeHere).map { try $0.store(noInput: noInput) }
    }

    func store(noInput: Bool) throws -> any KeyStore {
        switch self {
        case .kernel: return KernelKeyringStore()
        case .file(let folder):
            return FileKeyStore(folder: try folder.map { FilePath($0) } ?? Self.usualFolder())
        case .secretService:
            guard Self.hasSessionBus else {
                throw KeyStorageError(
                    .unavailable, .unsupported,
                    "this session has no bus to ask a keyring on; \(Self.others)", "secret-service")
            }
            // Its dialog needs a screen.
            let hasScreen =
                UserFolders.variable("DISPLAY") != nil || UserFolders.variable("WAYLAND_DISPLAY") != nil
            return SecretServiceStore(mayPrompt: !noInput && hasScreen) { valise_interrupted() }
        case .keychain:
            #if canImport(Security)
                return KeychainStore()
            #else
                throw CommandError(.unsupported, "the Keychain is on Apple systems")
            #endif
        }
    }

    private static let others = "there are --store kernel and --store file too"

    /// Whether it makes sense to ask. Without a session's bus, a library would start one.
    private var mayBeHere: Bool {
        switch self {
        case .secretService: Self.hasSessionBus
        case .file: UserFolders.data != nil
        case .kernel, .keychain: true
        }
    }

    static var hasSessionBus: Bool {
        if UserFolders.variable("DBUS_SESSION_BUS_ADDRESS") != nil { return true }
        guard let folder = UserFolders.variable("XDG_RUNTIME_DIR") else { return false }
        return access("\(folder)/bus", F_OK) == 0
    }

    /// Among the user's data, not the configuration: that is what people keep in public repositories.
    private static func usualFolder() throws -> FilePath {
        guard let data = UserFolders.data else {
            throw CommandError(.invalid, "HOME is not set; say where the keys are with file:FOLDER")
        }
        return data.appending("keys")
    }
}
