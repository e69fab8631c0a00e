#if canImport(Security)
    import Foundation
    public import ValiseSecrets
    import Security

    /// The Keychain of Apple systems: a generic password for each account, only on this device.
    package struct KeychainStore: KeyStore {
        package let name = "keychain"
        private static let service = "valise.AccountPassphrase"

        package init() {}

        package func check() throws { _ = try list() }

        package func store(_ passphrase: borrowing SecretBytes, for owner: KeyOwner) throws {
            // The Keychain takes Data, which is not wiped: the copy is gone with the pool of this call.
            let data = passphrase.withBytes { Data($0) }
            let change = [kSecValueData: data] as CFDictionary
            var status = SecItemUpdate(query(owner), change)
            if status == errSecItemNotFound {
                let attributes: [CFString: Any] = [
                    kSecValueData: data,
                    kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                ]
                status = SecItemAdd(query(owner, attributes), nil)
            }
            guard status == errSecSuccess else { throw failure(status) }
        }

        package func lookup(_ owner: KeyOwner) throws -> SecretBytes? {
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query(owner, [kSecReturnData: true]), &result)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = result as? Data else { throw failure(status) }
            return try SecretBytes(copying: data)
        }

        package func forget(_ owner: KeyOwner) throws -> Bool {
            let status = SecItemDelete(query(owner))
            if status == errSecItemNotFound { return false }
            guard status == errSecSuccess else { throw failure(status) }
            return true
        }

        package func list() throws -> [KeyOwner] {
            var result: CFTypeRef?
            let wanted: [CFString: Any] = [kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll]
            let status = SecItemCopyMatching(query(nil, wanted), &result)
            if status == errSecItemNotFound { return [] }
            guard status == errSecSuccess, let items = result as? [[CFString: Any]] else {
                throw failure(status)
            }
            return items.compactMap { ($0[kSecAttrAccount] as? String).flatMap { KeyOwner(name: $0) } }
                .sorted { $0.name < $1.name }
        }

        private func query(_ owner: KeyOwner?, _ more: [CFString: Any] = [:]) -> CFDictionary {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: Self.service,
            ]
            if let owner { query[kSecAttrAccount] = owner.name }
            return query.merging(more) { $1 } as CFDictionary
        }

        private func failure(_ status: OSStatus) -> KeyStorageError {
            let locked = status == errSecInteractionNotAllowed
            let text = SecCopyErrorMessageString(status, nil) as String? ?? "status \(status)"
            return failure(locked ? .locked : .store, "the Keychain failed: \(text)")
        }
    }
#endif
