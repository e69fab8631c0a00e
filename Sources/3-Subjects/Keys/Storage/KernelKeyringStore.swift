import CValisePlatform
import SystemPackage
import ValiseFailures
import ValiseFiles
package import ValiseSecrets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The Linux kernel's keyring of the user: in memory that is never swapped, gone when the machine restarts.
///
/// A key is of the type `user` and can be used by every process of this user, by nobody else. It outlives
/// the process that stored it. On older kernels it is lost when the user's last process ends; in a
/// container it belongs to the container's user namespace, and many containers forbid the call.
package struct KernelKeyringStore: KeyStore {
    package let name = "kernel"
    private static let prefix = "valise:"

    package init() {}

    package func check() throws { _ = try serials() }

    package func store(_ passphrase: borrowing SecretBytes, for owner: KeyOwner) throws {
        let result = unsafe passphrase.withBytes {
            unsafe valise_key_store(Self.prefix + owner.name, $0.baseAddress, $0.count)
        }
        guard result >= 0 else { throw failure("store", errno) }
    }

    package func lookup(_ owner: KeyOwner) throws -> SecretBytes? {
        guard let key = try find(owner) else { return nil }
        return try unsafe SecretBytes(capacity: KeyLimits.longest) { memory in
            let count = unsafe valise_key_read(key, memory.baseAddress, memory.count)
            guard count >= 0 else { throw failure("read", errno) }
            guard count <= memory.count else { throw failure(.store, "the stored passphrase is too long") }
            return count
        }
    }

    package func forget(_ owner: KeyOwner) throws -> Bool {
        guard let key = try find(owner) else { return false }
        guard valise_key_forget(key) == 0 else { throw failure("remove", errno) }
        return true
    }

    package func list() throws -> [KeyOwner] {
        try serials().compactMap { serial in
            guard let description = description(of: serial), description.hasPrefix(Self.prefix) else {
                return nil
            }
            return KeyOwner(name: String(description.dropFirst(Self.prefix.count)))
        }.sorted { $0.name < $1.name }
    }

    private func find(_ owner: KeyOwner) throws -> Int32? {
        let key = unsafe valise_key_find(Self.prefix + owner.name)
        if key >= 0 { return key }
        let number = errno
        if Self.isAbsence(number) { return nil }
        throw failure("search", number)
    }

    /// No key of this name, or one that is not valid any more.
    private static func isAbsence(_ number: Int32) -> Bool {
        #if canImport(Glibc)
            [ENOKEY, EKEYEXPIRED, EKEYREVOKED].contains(number)
        #else
            false
        #endif
    }

    /// The numbers of the user's keys.
    private func serials() throws -> [Int32] {
        var serials = [Int32](repeating: 0, count: 256)
        while true {
            let size = unsafe serials.withUnsafeMutableBytes {
                unsafe valise_key_read(0, $0.baseAddress, $0.count)
            }
            guard size >= 0 else { throw failure("list", errno) }
            let count = size / MemoryLayout<Int32>.stride
            if count <= serials.count { return Array(serials[..<count]) }
            serials = [Int32](repeating: 0, count: count * 2)
        }
    }

    /// What the key is called, when it is of our type; nil for others, and for one that has just gone.
    private func description(of serial: Int32) -> String? {
        var text = [CChar](repeating: 0, count: 8192)
        let count = unsafe valise_key_describe(serial, &text, text.count)
        guard count > 0, count <= text.count else { return nil }
        let bytes = text[..<(count - 1)].map { UInt8(bitPattern: $0) }
        let fields = bytes.split(separator: UInt8(ascii: ";"), maxSplits: 4, omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0].elementsEqual("user".utf8) else { return nil }
        return String(validating: fields[4], as: UTF8.self)
    }

    /// The one place where the kernel's error numbers get their meaning.
    private func failure(_ verb: String, _ number: Int32) -> KeyStorageError {
        switch number {
        case ENOSYS, EPERM, EOPNOTSUPP:
            failure(.unavailable, "cannot use the kernel keyring here (containers often forbid it)")
        case EDQUOT, ENOMEM:
            KeyStorageError(
                .store, .noSpace,
                "no free space in the kernel keyring (its limit is in /proc/sys/kernel/keys/maxbytes)", name)
        case EINVAL where verb == "store":
            KeyStorageError(
                .store, .unsupported, "the kernel keyring stores passphrases of up to 32767 bytes", name)
        default:
            failure(
                .store,
                "the kernel keyring refused to \(verb) the passphrase: "
                    + FileError.reason(Errno(rawValue: number)))
        }
    }
}
