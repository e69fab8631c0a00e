extension RecoverySheet {
    /// What stands on the sheet beside the secret.
    package struct Details: Sendable {
        /// A label and its value.
        struct Field: Sendable {
            let label: String
            let value: String
        }

        /// What the secret is called.
        let secret: String
        /// Whose it is, and what it opens.
        let introduction: String
        let fields: [Field]
        /// How to use it, one paragraph each.
        let usage: [String]
        /// The day, as text.
        let date: String

        /// Of the passphrase of an account.
        ///
        /// - Parameters:
        ///   - folder: of the account.
        ///   - prefix: what the names of its databases start with.
        ///   - date: the day, as text.
        ///   - usage: how the program that draws it uses the passphrase and checks the sheet, one paragraph each.
        package init(folder: String, prefix: String, date: String, usage: [String] = []) {
            secret = "Passphrase"
            introduction =
                "The passphrase of a SimpleX Chat account. With it and the files, anyone can read every message."
            fields = [
                Field(label: "Account", value: folder),
                Field(label: "Databases", value: "\(prefix)_chat.db and \(prefix)_agent.db"),
                Field(
                    label: "Verified",
                    value: "\(date): the passphrase opened both databases. Made by Valise."),
            ]
            self.usage =
                [
                    Self.place,
                    "In the SimpleX Chat app: enter it when asked for the database passphrase, or scan the code and "
                        + "copy its text.",
                ] + usage + [
                    "After changing the passphrase, print a new sheet. This one still opens older backups."
                ]
            self.date = date
        }

        /// Of the password of a repository.
        ///
        /// - Parameters:
        ///   - repository: its place, as the user names it.
        ///   - id: its own, in hexadecimal digits.
        ///   - date: the day, as text.
        ///   - usage: how the program that draws it uses the password, one paragraph each.
        package init(repository: String, id: String, date: String, usage: [String] = []) {
            secret = "Password"
            introduction =
                "The password of a backup repository. With it and the files, anyone can read every backup."
            fields = [
                Field(label: "Repository", value: repository),
                Field(label: "ID", value: id),
                Field(
                    label: "Verified",
                    value: "\(date): the password opened the repository. Made by Valise."),
            ]
            self.usage =
                [Self.place]
                + usage + [
                    "With restic: enter it when asked for the password. Snapshots can be listed, checked and restored.",
                    "Without a password, everything in the repository is lost. Once this password is removed or "
                        + "changed, this sheet opens nothing.",
                ]
            self.date = date
        }

        private static let place = "Keep it in a private, safe place, away from the computer."
    }
}
