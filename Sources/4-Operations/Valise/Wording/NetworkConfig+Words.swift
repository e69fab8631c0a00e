package import ValiseMoves

extension NetworkConfig {
    /// In one line, without the password.
    package var text: String {
        var parts = [hostMode.rawValue + (requiredHostMode ? " only" : "")]
        if let socksProxy { parts.append("proxy \(socksProxy)") }
        if let networkProxy {
            let port = networkProxy.port.map { ":\($0)" } ?? ""
            parts.append("proxy \(networkProxy.host ?? "")\(port)")
            if networkProxy.password != nil { parts.append("with password") }
        }
        return parts.joined(separator: ", ")
    }
}
