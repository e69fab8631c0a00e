import ArgumentParser

struct FileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file",
        abstract:
            "Send and receive files by link; encrypt, decrypt or prove single files as media are at rest.",
        discussion: """
            Files are sent over relays that speak XFTP, in chunks that are encrypted on this machine; the official \
            programs receive them, and what those send is received here.

            The format of encrypted files is the one of the official programs' local files (CryptoFile): the content \
            under XSalsa20-Poly1305, then 16 bytes of tag. Each file has a key and a nonce of its own.
            """,
        subcommands: [
            FileSend.self, FileReceive.self, FileInfo.self, FileDelete.self, FileEncrypt.self,
            FileDecrypt.self,
            FileVerify.self,
        ])
}
