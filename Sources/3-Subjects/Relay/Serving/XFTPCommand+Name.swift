import ValiseXFTPWire

extension XFTPCommand {
    /// For logs.
    var name: String {
        switch self {
        case .create: "FNEW"
        case .addRecipients: "FADD"
        case .upload: "FPUT"
        case .delete: "FDEL"
        case .download: "FGET"
        case .acknowledge: "FACK"
        case .ping: "PING"
        }
    }

    /// All of them.
    static let names = ["FNEW", "FADD", "FPUT", "FDEL", "FGET", "FACK", "PING"]

    /// Whether the relay has more to keep after it.
    var bringsChunks: Bool {
        switch self {
        case .create, .upload: true
        case .addRecipients, .delete, .download, .acknowledge, .ping: false
        }
    }
}
