import CValiseSecretService
import ValiseFailures
package import ValiseSecrets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The keyring of the desktop (GNOME Keyring, KWallet, KeePassXC), by the Secret Service interface.
///
/// libsecret is loaded at the first call. Every call ends by its deadline.
package struct SecretServiceStore: KeyStore {
    package let name = "secret-service"
    private let mayPrompt: Bool
    private let stop: (@convention(c) () -> Bool)?

    /// Without a question to the user the service answers at once, or something is wrong with it.
    private static let deadline: Int32 = 3_000
    /// With its dialog on the screen.
    private static let promptDeadline: Int32 = 120_000

    /// - Parameters:
    ///   - mayPrompt: whether the service may show its own dialog to unlock a keyring.
    ///   - stop: asked while the service keeps us waiting, on another thread; true ends the call.
    package init(mayPrompt: Bool, stop: (@convention(c) () -> Bool)? = nil) {
        self.mayPrompt = mayPrompt
        self.stop = stop
    }

    package func check() throws {
        try run { unsafe valise_secret_check(&$0) }
    }

    package func store(_ passphrase: borrowing SecretBytes, for owner: KeyOwner) throws {
        _ = try unsafe passphrase.withBytes { bytes in
            try run {
                unsafe valise_secret_store(
                    &$0, owner.name, "Valise: passphrase of \(owner.name)", bytes.baseAddress, bytes.count)
            }
        }
    }

    package func lookup(_ owner: KeyOwner) throws -> SecretBytes? {
        var found = false
        let secret = try unsafe SecretBytes(capacity: KeyLimits.longest) { memory in
            var count = 0
            found = try run {
                unsafe valise_secret_lookup(&$0, owner.name, memory.baseAddress, memory.count, &count)
            }
            return count
        }
        if found { return secret }
        return nil
    }

    package func forget(_ owner: KeyOwner) throws -> Bool {
        try run { unsafe valise_secret_forget(&$0, owner.name) }
    }

    package func list() throws -> [KeyOwner] {
        var text: UnsafeMutablePointer<CChar>?
        defer { unsafe free(text) }
        guard try run({ unsafe valise_secret_list(&$0, &text) }), let text = unsafe text else { return [] }
        let names = unsafe String(cString: text).split(separator: "\n").map(String.init)
        return Set(names.compactMap { KeyOwner(name: $0) }).sorted { $0.name < $1.name }
    }

    /// Makes one call. Returns whether something was there.
    @discardableResult
    private func run(
        _ body: (inout valise_secret_call) -> valise_secret_status
    ) throws -> Bool {
        var call = valise_secret_call()
        call.timeout = mayPrompt ? Self.promptDeadline : Self.deadline
        call.may_prompt = mayPrompt
        call.stop = stop
        let status = body(&call)
        if status == VALISE_SECRET_DONE { return true }
        if status == VALISE_SECRET_NONE { return false }
        if status == VALISE_SECRET_STOPPED { throw Interruption() }
        let text = unsafe withUnsafeBytes(of: call.message) {
            unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        throw failure(status, text)
    }

    /// The one place where the shim's status gets its meaning.
    private func failure(_ status: valise_secret_status, _ text: String) -> KeyStorageError {
        switch status {
        case VALISE_SECRET_NO_LIBRARY:
            failure(.unavailable, "libsecret is not installed (package libsecret-1-0 on Debian and Ubuntu)")
        case VALISE_SECRET_NO_SERVICE:
            failure(.unavailable, "no keyring on the session bus: \(text)")
        case VALISE_SECRET_LOCKED:
            failure(.locked, "the keyring is locked", remedy: .unlockKeyring)
        case VALISE_SECRET_NO_KEYRING:
            failure(.locked, "no default keyring", remedy: .createKeyring)
        case VALISE_SECRET_TIMED_OUT:
            failure(.timedOut, "the keyring did not answer in time")
        case VALISE_SECRET_TOO_LONG: failure(.store, "the stored passphrase is too long")
        default: failure(.store, "the keyring failed: \(text)")
        }
    }
}
