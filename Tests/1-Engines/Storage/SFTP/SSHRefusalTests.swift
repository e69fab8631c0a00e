import Testing
import ValiseFailures

@testable import ValiseStorage

struct SSHRefusalTests {
    @Test(arguments: [
        ("me@host: Permission denied (publickey).\r\n", SSHRefusal.login),
        ("A banner.\nme@host: Permission denied (publickey,password).\n", .login),
        ("Received disconnect from ::1 port 22:2: Too many authentication failures\nDisconnected\n", .login),
        ("No ED25519 host key is known for host\nHost key verification failed.\r\n", .hostKey),
        ("subsystem request failed on channel 0\n", .noSFTP),
    ])
    func `what ssh says of a refusal is understood`(messages: String, refusal: SSHRefusal) {
        #expect(SSHRefusal(messages) == refusal)
        #expect(refusal.failure("sftp://host/r").isTransient == false)
    }

    @Test(arguments: [
        "", "ssh: connect to host h port 22: Connection refused\n",
        "ssh: Could not resolve hostname h: Name or service not known\n",
        "Permission denied (publickey) is what this server says to strangers\n1\n2\n3\n4\n",
        "kex_exchange_identification: Connection closed by remote host\n",
        "bash: sftp-server: Permission denied\n",
    ])
    func `everything else may be over a moment later`(messages: String) {
        #expect(SSHRefusal(messages) == nil)
    }

    /// The program that leads to the server: it says something, and ends as ssh does.
    @Test func `a program that says so and ends was refused`() throws {
        let fixture = try SFTPFixture()
        func found(_ script: String) throws -> StorageError? {
            let store = try fixture.store(SFTPCommand("/bin/sh", ["-c", script]))
            return storageFailure { _ = try store.size(of: .config) }
        }
        let refused = try found("echo 'me@host: Permission denied (publickey).' >&2; exit 255")
        #expect(refused?.kind == .credentials && refused?.remedy == .checkServerPassword)
        let other = try found("echo 'no route' >&2; exit 255")
        #expect(other?.kind == .unreachable && other?.message.contains("exit status 255") == true)
    }

    @Test func `what a program leaves behind does not hold its end up`() throws {
        let fixture = try SFTPFixture()
        let script = "sleep 20 > /dev/null < /dev/null & echo 'me@h: Permission denied (x).' >&2; exit 255"
        let store = try fixture.store(SFTPCommand("/bin/sh", ["-c", script]))
        let start = ContinuousClock.now
        let found = storageFailure { _ = try store.size(of: .config) }
        #expect(found?.kind == .credentials && ContinuousClock.now - start < .seconds(15))
    }
}
