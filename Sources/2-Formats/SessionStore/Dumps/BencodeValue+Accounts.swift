extension BencodeValue {
    /// What is kept of accounts: every entry of a dictionary, at any level, whose key is a Session ID. Of a dump of contacts, that
    /// are the contacts.
    package func accounts() -> [(id: AccountID, value: BencodeValue)] {
        switch self {
        case .list(let values): values.flatMap { $0.accounts() }
        case .dictionary(let dictionary): dictionary.accounts()
        default: []
        }
    }
}

extension BencodeDictionary {
    /// As ``BencodeValue/accounts()``.
    package func accounts() -> [(id: AccountID, value: BencodeValue)] {
        entries.flatMap { entry in
            (AccountID(entry.key).map { [(id: $0, value: entry.value)] } ?? []) + entry.value.accounts()
        }
    }
}
