import Foundation
import SystemPackage
import TestPeers

/// A GNOME Keyring on a private session bus.
final class Keyring {
    static var isHere: Bool {
        ["dbus-daemon", "dbus-send", "gnome-keyring-daemon"].allSatisfy { Program.tool($0) != nil }
    }

    /// What leads a program to it.
    let environment: [String: String]
    private let bus: Process
    private let daemon: Process

    /// Starts the bus, and the keyring unlocked with a password of the tests.
    init(home: FilePath) throws {
        bus = Process()
        bus.executableURL = URL(filePath: Program.tool("dbus-daemon") ?? "")
        bus.arguments = ["--session", "--nofork", "--nopidfile", "--print-address"]
        let address = Pipe.uninherited()
        bus.standardOutput = address
        bus.standardError = FileHandle.nullDevice
        bus.environment = ["HOME": home.string, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""]
        try bus.start()
        let line = String(decoding: address.fileHandleForReading.availableData, as: UTF8.self)
        environment = [
            "HOME": home.string, "XDG_RUNTIME_DIR": home.string,
            "DBUS_SESSION_BUS_ADDRESS": line.trimmingCharacters(in: .newlines),
        ]
        daemon = Process()
        daemon.executableURL = URL(filePath: Program.tool("gnome-keyring-daemon") ?? "")
        daemon.arguments = ["--foreground", "--unlock", "--components=secrets"]
        daemon.environment = environment.merging(bus.environment ?? [:]) { a, _ in a }
        let password = Pipe.uninherited()
        daemon.standardInput = password
        daemon.standardOutput = FileHandle.nullDevice
        daemon.standardError = FileHandle.nullDevice
        try daemon.start()
        try password.fileHandleForWriting.write(contentsOf: Data("test".utf8))
        try password.fileHandleForWriting.close()
        // It owns its name on the bus a moment later.
        for _ in 0..<100 where try !isReady() { Thread.sleep(forTimeInterval: 0.05) }
    }

    private func isReady() throws -> Bool {
        let answer = try send(
            "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner",
            "string:org.freedesktop.secrets")
        return answer.output.contains("true")
    }

    @discardableResult
    private func send(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(
            Program.tool("dbus-send") ?? "", ["--session", "--print-reply"] + arguments,
            environment: environment)
    }

    /// Locks the keyring that everything is in.
    func lock() throws {
        try send(
            "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
            "org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/aliases/default")
    }

    /// Keeps the daemon from answering.
    func freeze() { kill(daemon.processIdentifier, SIGSTOP) }

    func end() {
        // Started from a thread of the tests, they may have the softer signals blocked.
        kill(daemon.processIdentifier, SIGKILL)
        kill(bus.processIdentifier, SIGKILL)
        daemon.waitUntilExit()
        bus.waitUntilExit()
    }
}
