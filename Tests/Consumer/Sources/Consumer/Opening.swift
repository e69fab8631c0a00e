import Valise

/// The names of an account's contacts, even while a program uses the account.
func contactNames(of account: AccountLocation, passphrase: SharedSecret) throws -> [String] {
    let reader = try AccountReader(account)
    if let holder = reader.holder { print("in use by \(holder): this is its state of one moment") }
    let connection = try reader.connect(.chat, passphrase: passphrase.bytes)
    var names: [String] = []
    try ChatSchema(connection).forEachContact(connection) { row in
        names.append(try row.get().name.shown)
    }
    return names
}
