import ArgumentParser

struct FileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file",
        abstract: "Encrypt, decrypt or prove single files, as media are encrypted at rest.",
        discussion: """
            The format is the one of the official programs' local files (CryptoFile): the content under \
            XSalsa20-Poly1305, then 16 bytes of tag. Each file has a key and a nonce of its own.
            """,
        subcommands: [FileEncrypt.self, FileDecrypt.self, FileVerify.self])
}
