package registry

// FirstHandle does what the first handle of a drop-in package waits for.
func FirstHandle(a Algorithm) error {
	s, err := newSelector(newOptions([]Option{fromEnvironment()}))
	if err != nil {
		return err
	}
	s.loadProfile()
	_, err = s.plan(a)
	return err
}
