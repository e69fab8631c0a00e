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
}
