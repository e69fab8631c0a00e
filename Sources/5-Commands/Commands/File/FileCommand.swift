import ArgumentParser

struct FileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file", abstract: "Send, receive, encrypt, decrypt and verify single files.",
        discussion: """
            Files are sent over XFTP relays, in chunks that are encrypted on this machine. The official apps can \
            receive them, and files that the official apps send can be received here.

            Encrypted files have the format of local files of the official apps (CryptoFile), as media do: the \
            content encrypted with XSalsa20-Poly1305, then a 16-byte tag. Each file has its own key and nonce.
            """,
        subcommands: [
            FileSend.self, FileReceive.self, FileInfo.self, FileDelete.self, FileEncrypt.self,
            FileDecrypt.self,
            FileVerify.self,
        ])
}
