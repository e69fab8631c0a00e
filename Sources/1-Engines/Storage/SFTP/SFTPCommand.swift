/// The program whose standard input and output lead to an SFTP server, with its arguments; they contain no secret.
///
/// It is the system's ssh, with the user's keys, known hosts and settings: what works with `ssh HOST` works here. What it asks
/// for, it asks on the terminal; who wants none of that (`BatchMode`) says so in the settings of ssh.
package struct SFTPCommand: Sendable, Hashable {
    /// A path, or a name that is looked for in `PATH`.
    package let program: String
    package let arguments: [String]

    /// Any program.
    ///
    /// - Parameters:
    ///   - program: a path, or a name that is looked for in `PATH`.
    ///   - arguments: without the program's name.
    package init(_ program: String, _ arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }

    /// `ssh -s HOST sftp`.
    ///
    /// - Parameters:
    ///   - location: where the server is.
    ///   - options: more options of ssh, before all others; of two, ssh takes the first.
    package init(ssh location: SFTPLocation, options: [String] = []) {
        var arguments = options
        for setting in Self.settings { arguments += ["-o", setting] }
        if let port = location.port { arguments += ["-p", "\(port)"] }
        if let user = location.user { arguments += ["-l", user] }
        self.init("ssh", arguments + ["-s", "--", location.host, "sftp"])
    }

    /// A line that went dead is noticed within a minute and a half, and nothing of the user's settings for a shell is in the way.
    private static let settings = [
        "ServerAliveInterval=30", "ServerAliveCountMax=3", "ClearAllForwardings=yes", "ForwardAgent=no",
        "ForwardX11=no", "PermitLocalCommand=no", "RemoteCommand=none", "RequestTTY=no",
    ]
}
