import SystemPackage
import Testing

@testable import Valise

/// The user's folders, as the environment of a program says.
struct EnvironmentTests {
    private static func folders(_ environment: [String: String]) -> ValiseFolders {
        ValiseFolders { environment[$0] }
    }

    @Test func `without variables, folders are those of the XDG base directories below the home`() {
        let folders = Self.folders(["HOME": "/home/a"])
        #expect(folders.data == "/home/a/.local/share/valise")
        #expect(folders.state == "/home/a/.local/state/valise")
        #expect(folders.configuration == "/home/a/.config/valise")
        #expect(folders.temporary == nil && !folders.hasSessionBus && !folders.hasScreen)
    }

    @Test func `a variable moves a folder, but only to an absolute path`() {
        let folders = Self.folders([
            "HOME": "/home/a", "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "state", "TMPDIR": "/var/tmp",
            "DISPLAY": ":0", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/bus",
        ])
        #expect(folders.data == "/data/valise")
        #expect(folders.state == "/home/a/.local/state/valise")
        #expect(folders.temporary == "/var/tmp" && folders.hasSessionBus && folders.hasScreen)
    }

    @Test func `without a home, no folder is known`() {
        let folders = Self.folders([:])
        #expect(folders.data == nil && folders.state == nil && folders.configuration == nil)
    }

    @Test func `accounts are looked for where the apps keep data`() {
        let environment = ["HOME": "/home/a", "XDG_DATA_HOME": "/data"]
        let home = UserHome { environment[$0] }
        #expect(home.home == "/home/a" && home.data == "/data")
        let relative = UserHome { ["XDG_DATA_HOME": "data"][$0] }
        #expect(relative == UserHome(home: nil))
    }
}
